import type { FormEvent, KeyboardEvent } from 'react'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { describeWeek } from '#src/lib/time/business-hours.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { getJson } from '#src/ui/api.ts'
import type { ChatContext } from '../contract.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { StaffChat } from '../protocol.ts'
import { chatMessageMax } from '../values.ts'
import type { Canned } from './canned-replies.tsx'
import { CannedMenu, fillReply, optionId, useCannedChoice } from './canned-replies.tsx'
import { AttachButton, OutgoingFileList, pasteFiles, useFilesOf } from './composer-files.tsx'
import type { Mailing } from './composer-mail.tsx'
import { MailChoice, MailedNotice, MailFailure, reloadMs, useMailing } from './composer-mail.tsx'
import { composerTexts } from './composer-texts.ts'
import type { AnswerPlace, ConsoleState } from './console-state.ts'
import { operationKey } from './console-state.ts'
import { consoleTexts } from './console-texts.ts'
import type { DraftKind, Drafts } from './drafts.ts'
import { useChatName } from './staff-chat.tsx'
import type { StaffSession } from './staff-session.ts'
import { suggestReplies } from '../suggest-replies.ts'
import { Suggestions, useSuggestedArticles } from './suggestions.tsx'
import { useElapsed } from './times.ts'

type ConsoleComposerProps = {
  chat: StaffChat
  session: StaffSession
  state: ConsoleState
  place: AnswerPlace
  mayTakeOver: boolean
  canned: Canned
  /** What the visitor wrote since staff's last answer. */
  asked: string
}

/** The answer and the internal note of a conversation: two fields with a draft each. */
export function ConsoleComposer(props: ConsoleComposerProps) {
  return (
    <div className="console-composer">
      <AnswerField {...props} />
      {props.place !== 'forbidden' && <NoteField {...props} />}
    </div>
  )
}

function AnswerField({ chat, session, state, place, mayTakeOver, canned, asked }: ConsoleComposerProps) {
  const t = useTexts(composerTexts)
  const { id } = chat
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [draft, write] = useDraft(session.drafts, id, 'answer')
  const [isFocused, setFocused] = useState(false)
  const [readReturned, setReadReturned] = useState<string>()
  const [mailed, setMailed] = useState<string>()
  const loss = useLoss(chat, state, place)
  const fill = useReplyVariables(chat, canned)
  const choice = useCannedChoice(canned, { field, draft, keep: write, language: chat.language, fill })
  const label = t('answer', { name: useChatName()(chat) })
  const returned = state.returned[id]
  const files = useFilesOf(session.files, id)
  const canSend = place === 'own' || place === 'free'
  const isGone = place === 'own' && chat.visitor === 'gone'
  const isWaiting = state.pending.includes(operationKey('answer', id))
  const hasBeenGone = useElapsed(chat.gone_at, reloadMs)

  const mailing = useMailing(chat, draft.trim(), session, state, setMailed)
  // Mail takes no files, and a server may have none.
  const isByMail = isGone && hasBeenGone && files.length === 0 && mailing.status !== 'noMail'
  const send = (byMail = isByMail) => {
    const text = draft.trim()
    const hasFiles = files.some(({ state }) => state === 'ready')
    if ((!text && !hasFiles) || text.length > chatMessageMax) return
    // The same answer already leaves: by mail, or with a claim, which may show before its confirmation arrives.
    if (isWaiting || mailing.status === 'sending') return
    if (byMail) return mailing.send()
    choice.dismiss()
    setReadReturned(returned)
    if (place === 'own') session.sendAnswer(id, text)
    else if (place === 'free') void session.claimAndAnswer(id, text)
  }
  const suggests = canSend && !canned.unsuggested.includes(id)
  const articles = useSuggestedArticles(id, suggests ? asked : '')
  const insert = (text: string) => {
    flushSync(() => write([draft.trimEnd(), fill(text)].filter(Boolean).join(' ')))
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }
  const addFiles = (added: File[]) => {
    session.files.add(id, added)
    field.current?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (isComposing(event) || event.altKey || choice.handleKey(event)) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    // The conversation was lost under the writer's fingers: only a button decides about the text.
    if (!loss) send()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }

  // A field with the focus or with a text stays, whatever becomes of the conversation.
  if (!canSend && !draft && files.length === 0 && !isFocused) return mailed ? <MailedNotice reference={mailed} /> : null
  return (
    <form className="console-answer" translate="no" onSubmit={handleSubmit}>
      <div role="alert">
        {loss && draft && <p className="console-loss">{loss}</p>}
        {!loss && draft && returned !== undefined && returned !== readReturned && (
          <p className="console-loss">{t('answeredMeanwhile', { name: returned || t('someone') })}</p>
        )}
      </div>
      {suggests && !choice.isOpen && (
        <Suggestions
          replies={suggestReplies(canned.replies, { draft, asked })}
          articles={articles.filter(({ text }) => !draft.includes(text))}
          visitor={chat.language}
          onPick={insert}
          onHide={() => canned.stopSuggesting(id)}
        />
      )}
      {isGone && (
        <p key={String(isByMail)} className="text-sm text-ink-2">
          {t(isByMail ? 'goneMailHint' : 'goneHint')}
        </p>
      )}
      {choice.isOpen && (
        <CannedMenu id={listId} offered={choice.offered} chosen={choice.chosen} visitor={chat.language} onPick={choice.pick} />
      )}
      <textarea
        ref={field}
        className="input"
        rows={2}
        data-field="answer"
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={choice.isOpen ? listId : undefined}
        aria-activedescendant={choice.offered.length > 0 ? optionId(listId, choice.chosen) : undefined}
        placeholder={label}
        value={draft}
        maxLength={chatMessageMax}
        onChange={({ target }) => {
          write(target.value)
          choice.read(target.value, target.selectionStart)
          if (place === 'own') session.client.typing(id)
        }}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false)
          choice.dismiss()
        }}
        onKeyDown={handleKey}
        onPaste={canSend ? pasteFiles(addFiles) : undefined}
      />
      <OutgoingFileList files={session.files} id={id} />
      {mailed && !draft && <MailedNotice reference={mailed} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        {canSend ? (
          <div className="flex items-center gap-1">
            <AttachButton onFiles={addFiles} />
            <CannedButton onOffer={choice.offerAll} />
            {isByMail && draft && (
              <Button variant="quiet" size="small" busy={mailing.status === 'sending'} onClick={() => send(false)}>
                {t('leaveInChat')}
              </Button>
            )}
            {isGone && !isByMail && draft && <MailChoice {...mailing} />}
            {isByMail && <MailFailure {...mailing} />}
          </div>
        ) : (
          draft && (
            <Choices
              chat={chat}
              session={session}
              place={place}
              mayTakeOver={mayTakeOver}
              draft={draft}
              mailing={mailing}
              onFocus={() => field.current?.focus()}
            />
          )
        )}
        {canSend && (
          <Button type="submit" size="small" busy={isWaiting || mailing.status === 'sending'} className="ms-auto">
            <span key={`${place} ${isByMail}`}>{t(isByMail ? 'byEmail' : place === 'own' ? 'send' : 'claimAndSend')}</span>
          </Button>
        )}
      </div>
    </form>
  )
}

/** What the variables of a canned reply mean in this conversation, in the visitor's language. */
function useReplyVariables({ id, client_name, language }: StaffChat, { week, replies }: Canned) {
  const { display_name } = useProfile()
  const [reference, setReference] = useState('')
  const isWanted = replies.some((one) => `${one.reply} ${one.reply_en}`.includes('{reference}'))
  useEffect(() => {
    if (!isWanted) return
    getJson<ChatContext>(`/api/chat/chats/${id}/context`).then(
      ({ requests }) => setReference((requests.find((one) => one.is_from_chat) ?? requests[0])?.reference ?? ''),
      (error: unknown) => console.warn(error),
    )
  }, [id, isWanted])
  const [prenom = ''] = client_name.split(/\s+/)
  const heures = week.length > 0 ? describeWeek(week, language) : ''
  return (text: string) => fillReply(text, { prenom, technicien: display_name, reference, heures })
}

function CannedButton({ onOffer }: { onOffer: () => void }) {
  const t = useTexts(consoleTexts)
  return (
    <button type="button" className="console-chip" onMouseDown={(event) => event.preventDefault()} onClick={onOffer}>
      {t('cannedButton')}
    </button>
  )
}

/** Why the answer that stands in the field cannot be sent by Enter; null where it can. */
function useLoss(chat: StaffChat, state: ConsoleState, place: AnswerPlace) {
  const t = useTexts(composerTexts)
  const released = state.released[chat.id]
  if (place === 'own') return null
  if (place === 'closed') return t('closedMeanwhile')
  if (place === 'forbidden') return t('forbiddenMeanwhile')
  if (place === 'free') {
    if (released?.reason === 'unanswered') return t('unansweredMeanwhile')
    return released?.reason === 'left' ? t('leftMeanwhile') : null
  }
  const name = chat.user_name || released?.userName || t('someone')
  return t(released?.reason === 'transferred' ? 'transferredMeanwhile' : 'takenMeanwhile', { name })
}

type ChoicesProps = Pick<ConsoleComposerProps, 'chat' | 'session' | 'place' | 'mayTakeOver'> & {
  draft: string
  mailing: Mailing
  /** Focuses the field, where the button that was pressed leaves. */
  onFocus: () => void
}

/** What can be done with a text that this conversation does not take any more. */
function Choices({ chat, session, place, mayTakeOver, draft, mailing, onFocus }: ChoicesProps) {
  const t = useTexts(composerTexts)
  const [isCopied, setCopied] = useState<boolean | null>(null)
  const text = draft.trim()
  const copy = () => {
    const copying = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))
    copying.then(
      () => setCopied(true),
      (error: unknown) => {
        console.warn(error)
        setCopied(false)
      },
    )
  }
  const passOn = () => {
    onFocus()
    session.addNote(chat.id, text, 'answer')
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button variant="secondary" size="small" onClick={copy}>
        {t('copy')}
      </Button>
      {place === 'closed' && (
        <Button
          variant="secondary"
          size="small"
          onClick={() => void session.reopen(chat.id).then((isDone) => isDone && onFocus())}
        >
          {t('reopen')}
        </Button>
      )}
      {place === 'other' && mayTakeOver && (
        <Button
          variant="secondary"
          size="small"
          onClick={() => void session.takeOver(chat.id).then((isDone) => isDone && onFocus())}
        >
          {t('takeOver')}
        </Button>
      )}
      {place === 'other' && (
        <Button variant="secondary" size="small" onClick={passOn}>
          {t('passOn', { name: chat.user_name || t('someone') })}
        </Button>
      )}
      {place === 'closed' && <MailChoice {...mailing} />}
      <span role="status" className="text-sm">
        {isCopied !== null && t(isCopied ? 'copied' : 'notCopied')}
      </span>
    </div>
  )
}

function NoteField({ chat, session }: ConsoleComposerProps) {
  const t = useTexts(composerTexts)
  const [draft, write] = useDraft(session.drafts, chat.id, 'note')
  const add = () => {
    const text = draft.trim()
    if (text && text.length <= chatMessageMax) session.addNote(chat.id, text)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (isComposing(event) || event.altKey || event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    add()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    add()
  }
  return (
    <form className="console-note-form" translate="no" onSubmit={handleSubmit}>
      <textarea
        className="input"
        rows={1}
        data-field="note"
        aria-label={t('writeNote')}
        placeholder={t('writeNote')}
        value={draft}
        maxLength={chatMessageMax}
        onChange={({ target }) => write(target.value)}
        onKeyDown={handleKey}
      />
      <Button type="submit" variant="secondary" size="small">
        {t('addNote')}
      </Button>
    </form>
  )
}

function useDraft(drafts: Drafts, id: number, kind: DraftKind) {
  const read = () => drafts.read(id, kind)
  const draft = useSyncExternalStore(drafts.subscribe, read, read)
  return [draft, (text: string) => drafts.write(id, kind, text)] as const
}

/** Safari ends a composition with a key that is not marked as composing: it has the legacy code 229. */
export const isComposing = ({ nativeEvent }: { nativeEvent: { isComposing: boolean; keyCode: number } }) =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229
