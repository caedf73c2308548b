import { useEffect, useState, useId, useRef } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { pickVariant } from '#src/lib/language/language.ts'
import { texts } from './panel-texts.ts'
import { LazyComponent, loadMessage, WayOut } from './panel-notices.tsx'
import type { NoticeProps } from './panel-notices.tsx'
import type { VisitorClient } from '../client/visitor-client.ts'
import type { Conversation } from '../client/chat-client.ts'
import { countOlder } from '../client/message-log.ts'
import type { SessionState } from './visitor-session.ts'
import { patience } from './visitor-session.ts'
import { MessageElement } from '../message-element.ts'
import type { ChatMessage, QueuePlace } from '../protocol.ts'
import { clockRefresh, chatMessageMax, inputClearDelay } from '../values.ts'
import { useStickToEnd } from '#src/ui/components/use-stick-to-end.ts'
import type { ReactNode } from 'react'
import { storeSession, readStored } from './visitor-storage.ts'

const loadAttach = () => import('./panel-files.tsx').then((loaded) => loaded.PanelAttach)

/** The messages; below, typing, notices and the composer. */
type PanelConversationProps = NoticeProps & { state: SessionState; conversation: Conversation<ChatMessage> }

export function PanelConversation({ session, state, conversation, onLeave }: PanelConversationProps) {
  const t = useTexts(texts)
  const { client } = session
  const { typingName, queue, isUnanswered, idChat } = state
  const { messages, unsent } = conversation
  const [isLeaving, setLeaving] = useState(false)
  const answeredBy = messages.findLast((one) => one.bz_staff)?.user_name

  if (isLeaving) {
    const own = [...messages.filter((one) => !one.bz_staff), ...unsent].map((one) => one.message)
    return (
      <div className="chat-body">
        <Button variant="link" data-first="" className="mb-4" onClick={() => setLeaving(false)}>
          {t('back')}
        </Button>
        <LazyComponent load={loadMessage} with={{ idChat, start: own.join('\n') }} />
      </div>
    )
  }
  return (
    <>
      <PanelLog
        state={state}
        conversation={conversation}
        onRetry={() => idChat && client.retry(idChat)}
        onOlder={() => idChat && void client.loadOlder(idChat)}
      />
      <div role="status" className="min-h-8 px-5 pb-2 text-sm text-ink-2">
        {queue && queue.user_name !== answeredBy && <QueuePlaceText queue={queue} answeredBy={answeredBy} />}
        {typingName && <p>{t('typing', { name: typingName })}</p>}
      </div>
      {isUnanswered && <UnansweredNotice onLeave={() => setLeaving(true)} />}
      <ConnectionNotices session={session} state={state} onLeave={onLeave} />
      {idChat && (
        <PanelComposer
          client={client}
          idChat={idChat}
          extra={state.canAttach && <LazyComponent load={loadAttach} with={{ session, idChat }} />}
        />
      )}
    </>
  )
}

const loadFile = () => import('./panel-files.tsx').then((loaded) => loaded.PanelFile)

/** The messages, the visitor's on the right, each with its delivery state. */
type PanelLogProps = { state: SessionState; conversation: Conversation<ChatMessage>; onRetry: () => void; onOlder: () => void }

function PanelLog({ state, conversation, onRetry, onOlder }: PanelLogProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  useClock()
  const { autoReply, link, idChat, staffReadSeq } = state
  const { messages, unsent, hasOlder, older } = conversation
  const olderCount = countOlder(conversation)
  const end = useStickToEnd({
    news: `${messages.at(-1)?.seq ?? 0} ${unsent.length} ${link}`,
    first: messages[0]?.seq ?? 0,
    own: unsent.length > 0,
    onTop: hasOlder && older === 'idle' ? onOlder : undefined,
  })
  const reply = autoReply && pickVariant(language, autoReply.chat_auto_reply_message, autoReply.chat_auto_reply_message_en)
  const show = (one: ChatMessage, index: number, list: readonly ChatMessage[]) => (
    <MessageElement
      key={one.id_message}
      side={one.bz_staff ? 'staff' : 'visitor'}
      isGrouped={follows(list[index - 1], one)}
      name={one.bz_staff ? one.user_name : t('you')}
      text={
        one.file && idChat ? (
          <div className={`chat-file ${one.file.type.startsWith('image/') ? 'chat-file-picture' : ''}`}>
            <LazyComponent load={loadFile} with={{ idChat, file: one.file }} />
          </div>
        ) : (
          one.message
        )
      }
      sentAt={one.sent_at}
      time={clock(one.sent_at)}
    >
      {!one.bz_staff && <span>{` · ${t(one.seq <= staffReadSeq ? 'read' : 'sent')}`}</span>}
    </MessageElement>
  )
  return (
    <div role="log" aria-label={t('messages')} aria-relevant="additions" tabIndex={0} className="chat-log">
      {hasOlder ? (
        <div key="older" className="text-center text-sm" aria-live="off">
          <Button variant="link" busy={older === 'loading'} onClick={onOlder}>
            {t('older')}
          </Button>
          {older === 'failed' && (
            <p role="alert" className="text-err">
              {t('olderFailed')}
            </p>
          )}
        </div>
      ) : (
        <p key="first" className="text-sm text-ink-2">
          {t(state.isContinued ? 'continued' : 'waiting')}
        </p>
      )}
      {olderCount > 0 && <ol aria-live="off">{messages.slice(0, olderCount).map(show)}</ol>}
      <ol>
        {autoReply && reply && (
          <MessageElement
            side="staff"
            name={t('autoReplyName')}
            text={reply.text}
            lang={reply.lang}
            sentAt={autoReply.sent_at}
            time={clock(autoReply.sent_at)}
          />
        )}
        {messages.slice(olderCount).map(show)}
        {unsent.map((one) => (
          <MessageElement
            key={one.client_message_id}
            side="visitor"
            isFailed={one.state !== 'sending'}
            name={t('you')}
            text={one.message}
            sentAt={one.written_at}
            time={one.state === 'sending' ? clock(one.written_at) : ''}
          >
            <span>{one.state === 'sending' ? ` · ${t('sending')}` : t('unsent')}</span>
            {one.state === 'failed' && link === 'up' && (
              <Button variant="link" className="chat-retry" onClick={onRetry}>
                {t('retry')}
              </Button>
            )}
          </MessageElement>
        ))}
      </ol>
      <div ref={end} />
    </div>
  )
}

const groupedWithinMs = 5 * 60_000

function follows(before: ChatMessage | undefined, one: ChatMessage) {
  if (before?.bz_staff !== one.bz_staff || before.user_name !== one.user_name) return false
  return Date.parse(one.sent_at) - Date.parse(before.sent_at) < groupedWithinMs
}

/** Renders the times again each second: the visitor's zone may change. */
function useClock() {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), clockRefresh)
    return () => clearInterval(timer)
  }, [])
}

/** HH:mm in the visitor's zone; ECMAScript fixes the format of `toTimeString`. */
const clock = (iso: string) => new Date(iso).toTimeString().slice(0, 5)

const loadRefusal = () => import('./panel-closed.tsx').then((loaded) => loaded.RefusalText)
const loadUpdate = () => import('./panel-closed.tsx').then((loaded) => loaded.UpdateNoticeText)

/** The visitor's place in the queue until a technician answers, also after one who had to leave, and the expected wait. */
function QueuePlaceText({ queue, answeredBy }: { queue: QueuePlace; answeredBy: string | undefined }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { position, expected_minutes: minutes, user_name: name } = queue
  const wait = pickVariant(language, queue.expected_wait, queue.expected_wait_en)
  if (position === 0) return name ? <p key="assigned">{t('assigned', { name })}</p> : null
  return (
    <p key="place">
      {answeredBy && <span>{t('left', { name: answeredBy })} </span>}
      <span>{position === 1 ? t('nextInQueue') : t('inQueue', { position })}</span>{' '}
      {minutes !== null && <span>{t('expected', { count: minutes })} </span>}
      {wait.text && <span lang={wait.lang}>{wait.text}</span>}
    </p>
  )
}

/** Connection lost, or a message refused; its text stays in the outbox. */
function ConnectionNotices({ session, state, onLeave }: NoticeProps & { state: SessionState }) {
  const t = useTexts(texts)
  const { link, sendRefusal, update } = state
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (link === 'up') return setLate(false)
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [link])
  return (
    <>
      <div role="status">
        {update && <LazyComponent load={loadUpdate} with={{ update }} />}
        {link !== 'up' && (
          <div className="bg-warn-soft px-5 py-3 text-sm text-warn">
            <p className="font-bold">{t('disconnected')}</p>
            {isLate && <WayOut session={session} isBroken onLeave={onLeave} />}
          </div>
        )}
      </div>
      {sendRefusal && (
        <p role="alert" className="bg-err-soft px-5 py-3 text-sm font-bold text-err">
          <LazyComponent load={loadRefusal} with={sendRefusal} />
        </p>
      )}
    </>
  )
}

function UnansweredNotice({ onLeave }: { onLeave: () => void }) {
  const t = useTexts(texts)
  return (
    <div role="alert" className="border-t border-line bg-surface px-5 py-3">
      <p>{t('unanswered')}</p>
      <Button variant="secondary" size="small" className="mt-2" onClick={onLeave}>
        {t('leaveMessage')}
      </Button>
    </div>
  )
}

type PanelComposerProps = {
  client: VisitorClient
  idChat: string
  /** Beside the input: the button for files, where they are allowed. */
  extra?: ReactNode
}

export function PanelComposer({ client, idChat, extra }: PanelComposerProps) {
  const t = useTexts(texts)
  const errorId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const clearing = useRef<{ sent: string; timer: ReturnType<typeof setTimeout> }>(undefined)
  const [draft, setDraft] = useState(() => readStored().draft)
  const [isTooLong, setTooLong] = useState(false)
  const length = draft.trim().length

  useEffect(() => () => clearTimeout(clearing.current?.timer), [])

  const change = (value: string) => {
    setDraft(value)
    storeSession({ draft: value })
    if (value.trim().length <= chatMessageMax) setTooLong(false)
  }

  const send = () => {
    field.current?.focus()
    // Until the input is cleared it still holds the text that was just sent; only what was added since is new.
    const message = without(clearing.current?.sent, draft).trim()
    if (!message) return
    if (message.length > chatMessageMax) return setTooLong(true)
    clearTimeout(clearing.current?.timer)
    client.send(idChat, message)
    storeSession({ draft: '' })
    const sent = draft
    const timer = setTimeout(() => {
      clearing.current = undefined
      setDraft((now) => {
        const left = without(sent, now)
        storeSession({ draft: left })
        return left
      })
    }, inputClearDelay)
    clearing.current = { sent, timer }
  }

  return (
    <form
      className="border-t border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {isTooLong && (
        <p id={errorId} role="alert" className="mb-2 px-2 text-sm font-bold text-err">
          {t('tooLong', { count: length })}
        </p>
      )}
      <div className="flex flex-wrap items-end gap-2">
        {extra}
        <textarea
          ref={field}
          data-first=""
          rows={1}
          className="input chat-input"
          aria-label={t('write')}
          placeholder={t('write')}
          aria-invalid={isTooLong || undefined}
          aria-describedby={isTooLong ? errorId : undefined}
          value={draft}
          onChange={(event) => {
            change(event.target.value)
            if (event.target.value.trim()) client.typing(idChat)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <Button type="submit">{t('send')}</Button>
      </div>
    </form>
  )
}

function without(sent: string | undefined, text: string) {
  return sent !== undefined && text.startsWith(sent) ? text.slice(sent.length) : text
}
