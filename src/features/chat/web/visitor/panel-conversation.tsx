import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../../texts.ts'
import { Later } from './later.tsx'
import { PanelComposer } from './panel-composer.tsx'
import { PanelLog } from './panel-log.tsx'
import { Apology, QueueLine, TroubleLines } from './panel-state-lines.tsx'
import type { VisitorChat } from './visitor-chat.ts'
import type { ChatState } from './visitor-state.ts'

const loadMessage = () => import('./panel-message.tsx').then((loaded) => loaded.PanelMessage)
const loadAttach = () => import('./panel-attach.tsx').then((loaded) => loaded.PanelAttach)

/** What was said; below, what goes on now and the field to answer. */
type PanelConversationProps = { chat: VisitorChat; state: ChatState; onLeave: () => void }

export function PanelConversation({ chat, state, onLeave }: PanelConversationProps) {
  const t = useTexts(texts)
  const { conversation, link, typingName, queue, isUnanswered, idChat } = state
  const { messages, unsent } = conversation
  const [isLeaving, setLeaving] = useState(false)
  const isAnswered = messages.some((one) => one.bz_staff)

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
      <PanelLog state={state} onRetry={chat.retry} onOlder={chat.loadOlder} />
      <div role="status" className="min-h-8 px-5 pb-2 text-sm text-ink-2">
        {queue && !isAnswered && <QueueLine queue={queue} />}
        {typingName && <p>{t('typing', { name: typingName })}</p>}
      </div>
      {isUnanswered && <Apology onLeave={() => setLeaving(true)} />}
      <TroubleLines state={state} onLeave={onLeave} />
      <PanelComposer
        onWrite={chat.write}
        onTyping={chat.tellTyping}
        extra={state.canAttach && idChat && link === 'up' && <Later load={loadAttach} with={{ chat, idChat }} />}
      />
    </>
  )
}
