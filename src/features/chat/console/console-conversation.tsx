import { Fragment, memo, useEffect, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { apiAddress } from '#src/ui/hosts.ts'
import { withTelephones } from '#src/ui/components/dialled-text.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { consoleTexts } from './console-texts.ts'
import type { AttachedFile, StaffChat, StaffMessage } from '../protocol.ts'
import type { Unsent } from '../client/outbox.ts'
import { useChatName } from './staff-chat.tsx'
import type { StaffSession } from './staff-session.ts'
import { composerTexts } from './composer-texts.ts'
import { countOlder } from '../client/message-log.ts'
import { formatClock, formatDay, formatMoment } from './times.ts'
import { useStickToEnd } from '#src/ui/components/use-stick-to-end.ts'

type ConsoleConversationProps = {
  chat: StaffChat
  session: StaffSession
  isTyping: boolean
  /** The colleague who is writing to the visitor. */
  answering: string | null
  onOpen: (id: number) => void
}

/** The messages: the visitor's on the left, those of staff on the right, notes marked. */
export function ConsoleConversation(props: ConsoleConversationProps) {
  const { chat, session, isTyping, answering, onOpen } = props
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  const name = useChatName()(chat)
  const { client } = session
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
  const isQuiet = useQuietBehindDialogs()
  const olderCount = countOlder(conversation)
  const days = new Map(
    messages.flatMap((one, index) => {
      const before = messages[index - 1]
      return before && dayOf(before.sent_at) === dayOf(one.sent_at) ? [] : [[one.id_message, one.sent_at] as const]
    }),
  )
  const isFirst = (index: number) => {
    const one = messages[index]
    return !one || days.has(one.id_message) || !follows(messages[index - 1], one)
  }
  const show = (message: StaffMessage, index: number) => {
    const day = days.get(message.id_message)
    return (
      <Fragment key={message.id_message}>
        {day && (
          <p className="console-day">
            <time dateTime={day}>{formatDay(language, day)}</time>
          </p>
        )}
        <Message
          message={message}
          isFirst={isFirst(index)}
          isLast={isFirst(index + 1)}
          isRead={message.seq <= chat.visitor_read_seq}
          language={chat.language}
        />
      </Fragment>
    )
  }

  const claimed = chat.user_name && {
    name: chat.user_name,
    time: formatMoment(language, chat.claimed_at ?? chat.updated_at),
  }
  return (
    <div
      className="console-messages"
      role="log"
      aria-live={isQuiet ? 'off' : undefined}
      aria-label={t('historyOf', { name })}
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
        {messages.slice(olderCount).map((one, index) => show(one, olderCount + index))}
        {unsent.map((one) => (
          <UnsentMessage key={one.client_message_id} chat={chat} session={session} unsent={one} />
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
      <NewBelow messages={messages} onGo={() => end.current?.scrollIntoView({ block: 'end' })} end={end} />
      <div ref={end} />
    </div>
  )
}

/** Until screen readers have read a log that is back. */
const quietAfterMs = 1_000

/** A modal dialog hides the log from screen readers; as it closes, they would announce each message as a new one. */
function useQuietBehindDialogs() {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      if (document.querySelector('dialog:modal')) {
        clearTimeout(timer)
        timer = undefined
        setQuiet(true)
      } else if (isQuiet) timer ??= setTimeout(() => setQuiet(false), quietAfterMs)
    }
    look()
    const observer = new MutationObserver(look)
    // An open dialog may also leave the page without being closed.
    observer.observe(document.body, { subtree: true, attributeFilter: ['open'], childList: isQuiet })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [isQuiet])
  return isQuiet
}

type NewBelowProps = { messages: readonly StaffMessage[]; end: RefObject<HTMLDivElement | null>; onGo: () => void }

/** While older messages are read: how many have come below since. */
function NewBelow({ messages, end, onGo }: NewBelowProps) {
  const t = useTexts(consoleTexts)
  const newest = messages.at(-1)?.id_message ?? 0
  const [isAtEnd, setAtEnd] = useState(true)
  const [lastSeen, setLastSeen] = useState(newest)
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(([entry]) => setAtEnd(entry?.isIntersecting ?? true))
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [end])
  useEffect(() => {
    if (isAtEnd) setLastSeen(newest)
  }, [isAtEnd, newest])
  const count = isAtEnd ? 0 : messages.filter((one) => one.id_message > lastSeen && !one.bz_staff).length
  return (
    <div className="console-below" aria-live="off">
      {count > 0 && (
        <button type="button" onClick={onGo}>
          {t('newBelow', { count })}
        </button>
      )}
    </div>
  )
}

/** A text that the server does not have yet; its writer can change or remove it. */
function UnsentMessage({ chat, session, unsent }: { chat: StaffChat; session: StaffSession; unsent: Unsent }) {
  const t = useTexts(composerTexts)
  const { client, drafts } = session
  const { state, internal } = unsent
  const take = () => client.takeBack(chat.id, (one) => one.client_message_id === unsent.client_message_id)
  return (
    <div className={`console-bubble ${internal ? 'console-note' : 'console-own'}`}>
      <p className="whitespace-pre-wrap">{unsent.message}</p>
      <p className="console-meta flex flex-wrap gap-x-3">
        <span key={state} className={state === 'failed' ? 'font-bold' : undefined}>
          {t(state)}
        </span>
        {(state === 'failed' || state === 'held') && (
          <button
            type="button"
            className="underline"
            onClick={() => (state === 'held' ? client.confirm(chat.id, unsent) : client.retry(chat.id))}
          >
            {t(state === 'held' ? 'sendHeld' : 'retry')}
          </button>
        )}
        {state !== 'sending' && (
          <>
            <button
              type="button"
              className="underline"
              onClick={() => drafts.putBack(chat.id, take(), internal ? 'note' : 'answer')}
            >
              {t('edit')}
            </button>
            <button type="button" className="underline" onClick={take}>
              {t('remove')}
            </button>
          </>
        )}
      </p>
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

/** The nights of the clock change are two days: one time of day may come twice, in two zones. */
const dayOf = (instant: string) => `${new Date(instant).toDateString()} ${new Date(instant).getTimezoneOffset()}`

const groupedWithinMs = 300_000

/** Whether it goes on right after a message of the same author and kind. */
function follows(before: StaffMessage | undefined, one: StaffMessage) {
  if (before?.bz_staff !== one.bz_staff || before.internal !== one.internal || before.user_name !== one.user_name) return false
  return Date.parse(one.sent_at) - Date.parse(before.sent_at) < groupedWithinMs
}

type MessageProps = {
  message: StaffMessage
  /** The visitor's. */
  language: Language
  /** The visitor has read it. */
  isRead: boolean
  /** Of a group by one author: the name is shown with the first, the time with the last. */
  isFirst: boolean
  isLast: boolean
}

/** Drawn again only where it changes: a long conversation has hundreds. */
const Message = memo(function Message({ message, isFirst, isLast, isRead, language }: MessageProps) {
  const t = useTexts(consoleTexts)
  const ownLanguage = useLanguage()
  const look = message.internal ? 'console-note' : message.bz_staff ? 'console-own' : 'console-theirs'
  return (
    <div className={`console-bubble ${look} ${isFirst ? '' : 'console-follows'}`}>
      <p className={isFirst ? 'console-meta font-bold' : 'sr-only'}>
        {message.internal ? `${t('note')} · ${message.user_name}` : message.user_name}
      </p>
      {message.file ? (
        <MessageFile file={message.file} />
      ) : (
        <p className="whitespace-pre-wrap" lang={message.internal || message.bz_staff ? undefined : language}>
          <LinkedText text={message.message} />
        </p>
      )}
      <p className={isLast ? 'console-meta tabular' : 'sr-only'}>
        <time dateTime={message.sent_at}>{formatClock(ownLanguage, message.sent_at)}</time>
        {message.bz_staff && !message.internal && <span>{` · ${isRead ? t('read') : t('sent')}`}</span>}
      </p>
    </div>
  )
})

/** Addresses and telephone numbers that are written as links, and plain e-mail addresses; not the full stop after one. */
const addresses =
  /((?:https?:\/\/|mailto:|tel:)(?:\([^\s()<>"]*\)|[^\s()<>"])*(?:\([^\s()<>"]*\)|[^\s()<>".,;:!?\]}»’'])|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/iu

export function LinkedText({ text }: { text: string }) {
  // Split by one group: each second part is an address.
  return text.split(addresses).map((part, index) =>
    index % 2 === 0 ? (
      withTelephones(part)
    ) : (
      <a
        key={index}
        href={/^(?:https?:|mailto:|tel:)/i.test(part) ? part : `mailto:${part}`}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="underline"
      >
        {part}
      </a>
    ),
  )
}

/** An attached file: a picture is shown, anything else is named. */
function MessageFile({ file }: { file: AttachedFile }) {
  const address = apiAddress(`/api/chat/files/${file.id_file}`)
  return (
    <a href={address} download={file.name} className="console-file underline">
      {file.type.startsWith('image/') && <img src={address} alt="" loading="lazy" />}
      <span>{file.name}</span>
    </a>
  )
}
