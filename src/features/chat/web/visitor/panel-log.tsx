import { useEffect, useState } from 'react'
import { locales, pickVariant } from '#src/lib/language.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { MessageElement } from '../../message-element.ts'
import { texts } from '../../texts.ts'
import type { ChatMessage } from '../../values.ts'
import { clockRefresh } from '../../values.ts'
import { Later } from './later.tsx'
import { useEndInSight } from '../use-end-in-sight.ts'
import type { ChatState } from './visitor-state.ts'

const loadFile = () => import('./panel-file.tsx').then((loaded) => loaded.PanelFile)

/** What was said, the visitor on the right, each message with what became of it. */
type PanelLogProps = { state: ChatState; onRetry: () => void; onOlder: () => void }

export function PanelLog({ state, onRetry, onOlder }: PanelLogProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const clock = useClock()
  const { conversation, autoReply, link, idChat, older } = state
  const { messages, unsent, staffReadSeq, liveSeq } = conversation
  const hasOlder = (messages[0]?.seq ?? 1) > 1
  const end = useEndInSight({
    news: `${messages.at(-1)?.seq ?? 0} ${unsent.length} ${link}`,
    first: messages[0]?.seq ?? 0,
    own: unsent.length > 0,
    onTop: hasOlder && older === 'idle' ? onOlder : undefined,
  })
  const reply = autoReply && pickVariant(language, autoReply.chat_auto_reply_message, autoReply.chat_auto_reply_message_en)
  const show = (one: ChatMessage) => (
    <MessageElement
      key={one.id_message}
      side={one.bz_staff ? 'staff' : 'visitor'}
      name={one.bz_staff ? one.user_name : t('you')}
      text={
        one.file && idChat ? (
          <div className={`chat-file ${one.file.type.startsWith('image/') ? 'chat-file-picture' : ''}`}>
            <Later load={loadFile} with={{ idChat, file: one.file }} />
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
      {messages.some((one) => one.seq < liveSeq) && (
        <ol aria-live="off">{messages.filter((one) => one.seq < liveSeq).map(show)}</ol>
      )}
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
        {messages.filter((one) => one.seq >= liveSeq).map(show)}
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

/** Writes times as HH:mm, again each second: the visitor's zone or language may change meanwhile (spec.md 9). */
function useClock() {
  const language = useLanguage()
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), clockRefresh)
    return () => clearInterval(timer)
  }, [])
  const format = new Intl.DateTimeFormat(locales[language], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return (iso: string) => {
    const parts = Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))
    return `${parts.hour}:${parts.minute}`
  }
}
