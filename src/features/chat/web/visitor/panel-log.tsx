import { useEffect, useState } from 'react'
import { locales, pickVariant } from '#src/lib/language.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { MessageElement } from '../../message-element.ts'
import { texts } from '../../texts.ts'
import { clockRefresh } from '../../values.ts'
import { Later } from './later.tsx'
import { useEndInSight } from '../use-end-in-sight.ts'
import type { ChatState } from './visitor-state.ts'

const loadFile = () => import('./panel-file.tsx').then((loaded) => loaded.PanelFile)

/** What was said, the visitor on the right, each message with what became of it. */
export function PanelLog({ state, onRetry }: { state: ChatState; onRetry: () => void }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const clock = useClock()
  const { conversation, autoReply, link, idChat } = state
  const { messages, unsent, staffReadSeq } = conversation
  const end = useEndInSight(`${messages.length + unsent.length} ${link}`, unsent.length > 0)
  const reply = autoReply && pickVariant(language, autoReply.chat_auto_reply_message, autoReply.chat_auto_reply_message_en)
  return (
    <div role="log" aria-label={t('messages')} aria-relevant="additions" tabIndex={0} className="chat-log">
      <p className="text-sm text-ink-2">{t('waiting')}</p>
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
        {messages.map((one) => (
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
            {!one.bz_staff && ` · ${t(one.seq <= staffReadSeq ? 'read' : 'sent')}`}
          </MessageElement>
        ))}
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
            {one.state === 'sending' ? ` · ${t('sending')}` : t('unsent')}
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
