import { useEffect, useRef, useState } from 'react'
import { locales } from '#src/lib/language.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'
import { clockRefresh } from '../values.ts'
import { PanelComposer } from './panel-composer.tsx'
import type { ChatState, VisitorChat } from './visitor-chat.ts'

/** What was said, the visitor on the right; below, what goes on now and the field to answer. */
export function PanelConversation({ chat, state }: { chat: VisitorChat; state: ChatState }) {
  const t = useTexts(texts)
  const clock = useClock()
  const { conversation, autoReply, isOnline, typingName } = state
  const { messages, unsent, staffReadSeq } = conversation
  const end = useRef<HTMLDivElement>(null)
  const count = messages.length + unsent.length

  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [count, isOnline])

  return (
    <>
      <div role="log" aria-label={t('messages')} aria-relevant="additions" tabIndex={0} className="chat-log">
        <p className="text-sm text-ink-2">{t('waiting')}</p>
        {autoReply && (
          <Bubble isStaff name={t('autoReplyName')} text={autoReply.message}>
            {clock(autoReply.sent_at)}
          </Bubble>
        )}
        {messages.map((one) => (
          <Bubble key={one.id_message} isStaff={one.bz_staff} name={one.bz_staff ? one.user_name : t('you')} text={one.message}>
            {clock(one.sent_at)}
            {!one.bz_staff && ` · ${t(one.seq <= staffReadSeq ? 'read' : 'sent')}`}
          </Bubble>
        ))}
        {unsent.map((one) => (
          <Bubble key={one.client_message_id} name={t('you')} text={one.message} isFailed={one.state === 'failed'}>
            {one.state === 'sending' ? `${clock(one.written_at)} · ${t('sending')}` : t('unsent')}
            {one.state === 'failed' && isOnline && (
              <Button variant="link" className="chat-retry" onClick={chat.retry}>
                {t('retry')}
              </Button>
            )}
          </Bubble>
        ))}
        <div ref={end} />
      </div>
      <p className="min-h-6 px-5 text-sm text-ink-2">{typingName && t('typing', { name: typingName })}</p>
      <div role="status">{!isOnline && <p className="bg-warn-soft px-5 py-3 text-sm font-bold text-warn">{t('lost')}</p>}</div>
      <PanelComposer onWrite={chat.write} onTyping={chat.tellTyping} />
    </>
  )
}

type BubbleProps = { isStaff?: boolean; isFailed?: boolean; name: string; text: string; children: React.ReactNode }

function Bubble({ isStaff = false, isFailed = false, name, text, children }: BubbleProps) {
  return (
    <div className={`chat-bubble ${isStaff ? 'chat-bubble-staff' : 'chat-bubble-own'} ${isFailed ? 'chat-bubble-failed' : ''}`}>
      <p className={isStaff ? 'text-sm font-bold' : 'sr-only'}>{name}</p>
      <p className="break-words whitespace-pre-wrap">{text}</p>
      <p className="tabular text-xs">{children}</p>
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
