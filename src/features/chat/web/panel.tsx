import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { CloseIcon, MinusIcon } from '#src/ui/icons.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Lamp } from '#src/ui/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Loading } from '#src/ui/loading.tsx'
import { texts } from '../texts.ts'
import { PanelConversation } from './panel-conversation.tsx'
import { EndQuestion, TranscriptQuestion } from './panel-ending.tsx'
import { PanelLogin } from './panel-login.tsx'
import { BrokenNotice, ShutNotice } from './panel-notices.tsx'
import { mutedIcon, soundIcon } from './panel-icons.tsx'
import { usePhoneScreen } from './use-phone-screen.ts'
import { useVisitorAlerts } from './visitor-alerts.ts'
import { createVisitorChat } from './visitor-chat.ts'
import type { ChatState } from './visitor-state.ts'
import { isMuted as isStoredMuted, storeMuted } from './visitor-storage.ts'
import './chat.css'

export type ChatPanelProps = {
  /** Minimised: the conversation goes on behind the launcher's button. */
  isSmall: boolean
  onMinimize: () => void
  onClose: () => void
  onUnread: (count: number) => void
}

/** The chat's window: beside the page and never over its controls for the keyboard; the whole screen on a phone. */
export function ChatPanel({ isSmall, onMinimize, onClose, onUnread }: ChatPanelProps) {
  const t = useTexts(texts)
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  const [chat] = useState(createVisitorChat)
  const state = useSyncExternalStore(chat.subscribe, chat.read, chat.read)
  const [isEnding, setEnding] = useState(false)
  const [isMuted, setMuted] = useState(isStoredMuted)
  const { phase } = state

  useEffect(() => {
    chat.begin()
    window.addEventListener('pagehide', chat.tellLeaving)
    return () => {
      window.removeEventListener('pagehide', chat.tellLeaving)
      chat.stop()
    }
  }, [chat])

  // Each step of the way starts where the visitor acts next.
  useEffect(() => {
    if (isSmall) return
    const target = panel.current?.querySelector<HTMLElement>('[data-first]') ?? panel.current
    target?.focus()
  }, [phase, isSmall, isEnding])

  const isRunning = phase === 'talking'
  const { messages } = state.conversation
  useVisitorAlerts({ messages, isTalking: isRunning, isSmall, isMuted, onUnread, tellRead: chat.tellRead })
  usePhoneScreen(panel)

  const close = () => {
    if (isRunning) return setEnding(true)
    if (phase === 'ended') chat.forget()
    onClose()
  }

  return (
    <section
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      hidden={isSmall}
      className="chat-panel"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        if (isEnding) setEnding(false)
        else if (isRunning || phase === 'joining') onMinimize()
        else close()
      }}
    >
      <header className="night flex items-center gap-1 px-5 py-4">
        <div className="min-w-0 grow">
          <h2 id={titleId} className="truncate text-xl">
            {staffName(state) ?? t('title')}
          </h2>
          <p className="text-sm text-ink-2">
            <PresenceLine state={state} />
          </p>
        </div>
        {isRunning && (
          <IconButton
            label={t(isMuted ? 'unmute' : 'mute')}
            icon={isMuted ? mutedIcon : soundIcon}
            onClick={() => {
              storeMuted(!isMuted)
              setMuted(!isMuted)
            }}
          />
        )}
        {isRunning && <IconButton label={t('minimize')} icon={<MinusIcon />} onClick={onMinimize} />}
        <IconButton label={t('close')} icon={<CloseIcon />} onClick={close} />
      </header>
      {(phase === 'checking' || phase === 'joining') && (
        <div className="p-5">
          <Loading label={t(phase)} />
        </div>
      )}
      {phase === 'shut' && state.availability && (
        <ShutNotice hours={state.availability.hours} onCheck={chat.check} onLeave={onClose} />
      )}
      {phase === 'form' && (
        <PanelLogin error={state.loginError} availability={state.availability} onStart={chat.logIn} onLeave={onClose} />
      )}
      {(phase === 'broken' || phase === 'nobody') && <BrokenNotice phase={phase} onCheck={chat.check} onLeave={onClose} />}
      {isRunning && (
        <div className="contents" inert={isEnding}>
          <PanelConversation chat={chat} state={state} />
        </div>
      )}
      {isRunning && isEnding && (
        <EndQuestion
          onStay={() => setEnding(false)}
          onEnd={async () => {
            await chat.end()
            setEnding(false)
          }}
        />
      )}
      {phase === 'ended' && state.idChat && (
        <TranscriptQuestion chat={chat} idChat={state.idChat} isRated={messages.length > 0} />
      )}
    </section>
  )
}

function PresenceLine({ state: { phase, availability, link } }: { state: ChatState }) {
  const t = useTexts(texts)
  if (phase === 'talking') return <Lamp on={link === 'up'}>{t(presence[link])}</Lamp>
  if (phase === 'form') return <Lamp on>{t('technicians', { count: availability?.user_count ?? 0 })}</Lamp>
  if (phase === 'ended') return <Lamp on={false}>{t('over')}</Lamp>
  if (phase === 'shut' || phase === 'broken' || phase === 'nobody') return <Lamp on={false}>{t('shut')}</Lamp>
  return null
}

const presence = { up: 'online', connecting: 'connecting', down: 'offline' } as const

const staffName = ({ conversation }: ChatState) => conversation.messages.findLast((one) => one.bz_staff)?.user_name
