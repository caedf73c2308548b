import { useEffect, useRef, useState } from 'react'
import { locales, pickVariant } from '#src/lib/language.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { MessageElement } from '../message-element.ts'
import { texts } from '../texts.ts'
import { clockRefresh } from '../values.ts'
import { Later } from './later.tsx'
import { PanelComposer } from './panel-composer.tsx'
import { Apology, QueueLine, TroubleLines } from './panel-state-lines.tsx'
import type { VisitorChat } from './visitor-chat.ts'
import type { ChatState } from './visitor-state.ts'

const loadMessage = () => import('./panel-message.tsx').then((loaded) => loaded.PanelMessage)
const loadFile = () => import('./panel-file.tsx').then((loaded) => loaded.PanelFile)
const loadAttach = () => import('./panel-attach.tsx').then((loaded) => loaded.PanelAttach)

/** What was said, the visitor on the right; below, what goes on now and the field to answer. */
export function PanelConversation({ chat, state }: { chat: VisitorChat; state: ChatState }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const clock = useClock()
  const { conversation, autoReply, link, typingName, queue, isUnanswered, idChat } = state
  const { messages, unsent, staffReadSeq } = conversation
  const [isLeaving, setLeaving] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const count = messages.length + unsent.length
  const isAnswered = messages.some((one) => one.bz_staff)
  const reply = autoReply && pickVariant(language, autoReply.chat_auto_reply_message, autoReply.chat_auto_reply_message_en)

  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [count, link, isLeaving])

  if (isLeaving) {
    const own = [...messages.filter((one) => !one.bz_staff), ...unsent].map((one) => one.message)
    return (
      <div className="chat-body">
        <Button variant="link" data-first="" className="mb-4" onClick={() => setLeaving(false)}>
          {t('back')}
        </Button>
        <Later load={loadMessage} with={{ idChat, start: own.join('\n') }} />
      </div>
    )
  }
  return (
    <>
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
                <Button variant="link" className="chat-retry" onClick={chat.retry}>
                  {t('retry')}
                </Button>
              )}
            </MessageElement>
          ))}
        </ol>
        <div ref={end} />
      </div>
      <div role="status" className="min-h-6 px-5 text-sm text-ink-2">
        {queue && !isAnswered && <QueueLine queue={queue} />}
        {typingName && <p>{t('typing', { name: typingName })}</p>}
      </div>
      {isUnanswered && <Apology onLeave={() => setLeaving(true)} />}
      <TroubleLines state={state} />
      <PanelComposer
        onWrite={chat.write}
        onTyping={chat.tellTyping}
        extra={state.canAttach && idChat && link === 'up' && <Later load={loadAttach} with={{ chat, idChat }} />}
      />
    </>
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
