import { useSyncExternalStore, useId, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { consoleTexts } from './console-texts.ts'
import type { AttachedFile, StaffChat, StaffMessage } from '../protocol.ts'
import type { StaffClient } from '../client/chat-client.ts'
import { countOlder } from '../client/message-log.ts'
import { formatClock } from './times.ts'
import { useStickToEnd } from '#src/ui/components/use-stick-to-end.ts'
import type { FormEvent, KeyboardEvent } from 'react'
import { chatMessageMax } from '../values.ts'
import { CannedMenu, optionId, useCannedChoice } from './canned-replies.tsx'
import { isNoteDraft, storeDraft, readDraft } from './console-state.ts'
import type { ReturnedAnswer } from './console-state.ts'
import type { Canned } from './canned-replies.tsx'

type ConsoleConversationProps = {
  chat: StaffChat
  client: StaffClient
  isTyping: boolean
  /** The colleague who is writing to the visitor. */
  answering: string | null
  onOpen: (id: number) => void
}

/** The messages: the visitor's on the left, those of staff on the right, notes marked. */
export function ConsoleConversation(props: ConsoleConversationProps) {
  const { chat, client, isTyping, answering, onOpen } = props
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  const isClosed = chat.status === 'closed'
  const readConversation = () => client.conversation(chat.id)
  const conversation = useSyncExternalStore(client.subscribe, readConversation, readConversation)
  const { messages, unsent, hasOlder, older } = conversation
  const loadOlder = () => void client.loadOlder(chat.id)
  const end = useStickToEnd({
    news: `${messages.at(-1)?.id_message} ${unsent.length} ${isClosed}`,
    first: messages[0]?.id_message ?? 0,
    own: unsent.length > 0,
    onTop: hasOlder && older === 'idle' ? loadOlder : undefined,
  })
  const olderCount = countOlder(conversation)
  const show = (message: StaffMessage) => <Message key={message.id_message} chat={chat} message={message} />

  const claimed = chat.user_name && {
    name: chat.user_name,
    time: formatClock(language, chat.claimed_at ?? chat.updated_at),
  }
  return (
    <div
      className="console-messages"
      role="log"
      aria-label={t('historyOf', { name: chat.client_business || chat.client_name })}
      tabIndex={0}
    >
      {hasOlder && (
        <div className="text-center text-sm" aria-live="off">
          <Button variant="link" busy={older === 'loading'} onClick={loadOlder}>
            {t('olderMessages')}
          </Button>
          {older === 'failed' && (
            <p role="alert" className="text-err">
              {t('olderMessagesFailed')}
            </p>
          )}
        </div>
      )}
      {!hasOlder && chat.continues !== null && (
        <Linked id={chat.continues} text={t('continues')} label={t('openBefore')} onOpen={onOpen} />
      )}
      {(claimed || !isClosed) && (
        <p className="text-center text-sm text-ink-2">{claimed ? t('claimedBy', claimed) : t('notClaimed')}</p>
      )}
      {olderCount > 0 && (
        <div className="console-messages-list" aria-live="off">
          {messages.slice(0, olderCount).map(show)}
        </div>
      )}
      <div className="console-messages-list">
        {messages.slice(olderCount).map(show)}
        {unsent.map((message) => (
          <div key={message.client_message_id} className={`console-bubble ${message.internal ? 'console-note' : 'console-own'}`}>
            <p className="whitespace-pre-wrap">{message.message}</p>
            {message.state === 'sending' ? (
              <p className="console-meta">{t('sending')}</p>
            ) : (
              <p className="console-meta font-bold">
                {t('failed')} ·{' '}
                <button type="button" className="underline" onClick={() => client.retry(chat.id)}>
                  {t('retry')}
                </button>
              </p>
            )}
          </div>
        ))}
      </div>
      {isClosed ? (
        <p key="closed" className="text-center text-sm text-ink-2">
          {t('closedChat')}
        </p>
      ) : (
        <p key="typing" className="min-h-6 text-sm text-ink-2">
          {answering ? t('answering', { name: answering }) : isTyping ? t('typing', { name: chat.client_name }) : ''}
        </p>
      )}
      {chat.continued_in !== null && (
        <Linked id={chat.continued_in} text={t('continuedIn')} label={t('openAfter')} onOpen={onOpen} />
      )}
      <div ref={end} />
    </div>
  )
}

type LinkedProps = { id: number; text: string; label: string; onOpen: (id: number) => void }

/** A link to the conversation before or after a full one. */
function Linked({ id, text, label, onOpen }: LinkedProps) {
  return (
    <p className="text-center text-sm text-ink-2">
      <span>{text}</span>{' '}
      <button type="button" className="underline" onClick={() => onOpen(id)}>
        {label}
      </button>
    </p>
  )
}

function Message({ chat, message }: { chat: StaffChat; message: StaffMessage }) {
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  const look = message.internal ? 'console-note' : message.bz_staff ? 'console-own' : 'console-theirs'
  const isRead = message.bz_staff && !message.internal && message.seq <= chat.visitor_read_seq
  return (
    <div className={`console-bubble ${look}`}>
      <p className="console-meta font-bold">{message.internal ? `${t('note')} · ${message.user_name}` : message.user_name}</p>
      {message.file ? (
        <MessageFile file={message.file} />
      ) : (
        <p className="whitespace-pre-wrap" lang={message.internal || message.bz_staff ? undefined : chat.language}>
          {message.message}
        </p>
      )}
      <p className="console-meta tabular">
        <time dateTime={message.sent_at}>{formatClock(language, message.sent_at)}</time>
        {message.bz_staff && !message.internal && <span>{` · ${isRead ? t('read') : t('sent')}`}</span>}
      </p>
    </div>
  )
}

/** An attached file: a picture is shown, anything else is named. */
function MessageFile({ file }: { file: AttachedFile }) {
  const address = `/api/chat/files/${file.id_file}`
  return (
    <a href={address} download={file.name} className="console-file underline">
      {file.type.startsWith('image/') && <img src={address} alt="" loading="lazy" />}
      {file.name}
    </a>
  )
}

type ConsoleComposerProps = {
  client: StaffClient
  chat: StaffChat
  canAnswer: boolean
  canned: Canned
  returned: ReturnedAnswer | undefined
}

/** Writes an answer or a note; the draft of each chat is stored in the tab. */
export function ConsoleComposer({ client, chat, canAnswer, canned, returned }: ConsoleComposerProps) {
  const t = useTexts(consoleTexts)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [draft, setDraft] = useState(() => readDraft(chat.id))
  const [wantsNote, setWantsNote] = useState(() => isNoteDraft(chat.id))
  const [isReturnedRead, setReturnedRead] = useState(false)
  const isNote = wantsNote || !canAnswer
  const label = isNote ? t('writeNote') : t('answer', { name: chat.client_business || chat.client_name })

  const keep = (text: string) => {
    setDraft(text)
    storeDraft(chat.id, text, isNote)
    // A note stays a note when the chat is claimed meanwhile.
    if (!canAnswer) setWantsNote(text !== '')
  }
  const toggleNote = () => {
    setWantsNote(!wantsNote)
    storeDraft(chat.id, draft, !wantsNote)
  }
  const choice = useCannedChoice(canned, { field, draft, keep, language: chat.language, isNote })
  const send = () => {
    const message = draft.trim()
    if (!message || message.length > chatMessageMax) return
    // The last message its writer saw: a colleague's answer after it refuses this one.
    const after_seq = client.conversation(chat.id).messages.at(-1)?.seq ?? 0
    client.send(chat.id, message, isNote ? { internal: true } : { after_seq })
    setReturnedRead(true)
    keep('')
    choice.dismiss()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || choice.handleKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (canAnswer) toggleNote()
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }

  return (
    <form className={`console-composer ${isNote ? 'bg-warn-soft' : ''}`} onSubmit={handleSubmit}>
      <div role="alert">{returned && !isReturnedRead && draft && <ReturnedLine returned={returned} />}</div>
      {choice.isOpen && (
        <CannedMenu id={listId} offered={choice.offered} chosen={choice.chosen} visitor={chat.language} onPick={choice.pick} />
      )}
      <textarea
        ref={field}
        className="input"
        rows={2}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={choice.isOpen ? listId : undefined}
        aria-activedescendant={choice.offered.length > 0 ? optionId(listId, choice.chosen) : undefined}
        placeholder={label}
        value={draft}
        maxLength={chatMessageMax}
        onChange={({ target }) => {
          keep(target.value)
          choice.read(target.value, target.selectionStart)
          if (!isNote) client.typing(chat.id)
        }}
        onBlur={choice.dismiss}
        onKeyDown={handleKey}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap gap-2">
          {!isNote && (
            <button
              type="button"
              className="console-chip"
              onMouseDown={(event) => event.preventDefault()}
              onClick={choice.offerAll}
            >
              {t('cannedButton')}
            </button>
          )}
          <button type="button" className="console-chip" aria-pressed={isNote} disabled={!canAnswer} onClick={toggleNote}>
            {t('noteMode')}
          </button>
        </span>
        <Button type="submit" size="small">
          {isNote ? t('addNote') : t('send')}
        </Button>
      </div>
    </form>
  )
}

/** Why a refused answer is in the input again. */
function ReturnedLine({ returned: { code, userName } }: { returned: ReturnedAnswer }) {
  const t = useTexts(consoleTexts)
  return (
    <p className="rounded-field bg-err-soft px-3 py-2 text-sm text-err">
      {t(code === 'answered' ? 'answeredMeanwhile' : 'takenMeanwhile', { name: userName || t('someone') })}
    </p>
  )
}
