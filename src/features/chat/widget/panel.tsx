import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { useTexts } from '#src/ui/language.tsx'
import { Loading } from '#src/ui/loading.tsx'
import { texts } from './panel-texts.ts'
import { PanelConversation } from './panel-conversation.tsx'
import { Later } from './lazy-component.tsx'
import { PanelHead } from './panel-head.tsx'
import { PanelLogin } from './panel-login.tsx'
import { BrokenNotice } from './panel-notices.tsx'
import { useVisitorAlerts } from './visitor-alerts.ts'
import { createVisitorChat } from './visitor-chat.ts'
import { isMuted as isStoredMuted, storeMuted } from './visitor-storage.ts'
import './chat.css'

const loadEnding = () => import('./panel-ending.tsx').then((loaded) => loaded.EndQuestion)
const loadShut = () => import('./panel-closed.tsx').then((loaded) => loaded.ShutNotice)
const loadTranscript = () => import('./panel-ending.tsx').then((loaded) => loaded.TranscriptQuestion)

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
        else if (isRunning || (state.idChat && phase !== 'ended')) onMinimize()
        else close()
      }}
    >
      <PanelHead
        titleId={titleId}
        state={state}
        isMuted={isMuted}
        onMute={() => {
          storeMuted(!isMuted)
          setMuted(!isMuted)
        }}
        onMinimize={onMinimize}
        onClose={close}
      />
      {(phase === 'checking' || phase === 'joining') && (
        <div className="p-5">
          <Loading label={t(phase)} />
        </div>
      )}
      {phase === 'shut' && state.availability && (
        <Later load={loadShut} with={{ hours: state.availability.hours, onCheck: chat.check, onLeave: onClose }} />
      )}
      {phase === 'form' && (
        <PanelLogin error={state.loginError} availability={state.availability} onStart={chat.logIn} onLeave={onClose} />
      )}
      {(phase === 'broken' || phase === 'nobody') && (
        <BrokenNotice phase={phase} state={state} onCheck={chat.check} onLeave={onClose} />
      )}
      {isRunning && (
        <div className="contents" inert={isEnding}>
          <PanelConversation chat={chat} state={state} onLeave={onMinimize} />
        </div>
      )}
      {isRunning && isEnding && (
        <Later
          load={loadEnding}
          with={{
            onStay: () => setEnding(false),
            onEnd: async () => {
              await chat.end()
              setEnding(false)
            },
          }}
        />
      )}
      {phase === 'ended' && state.idChat && (
        <Later
          load={loadTranscript}
          with={{ chat, idChat: state.idChat, isRated: messages.length > 0, canMail: state.canMail }}
        />
      )}
    </section>
  )
}

/** Keeps the panel to the part of a phone's screen that the keyboard leaves free. */
function usePhoneScreen(panel: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const view = window.visualViewport
    const fit = () => {
      if (!view) return
      // Zoomed in with two fingers, the visitor chooses what to see.
      const isZoomed = view.scale > 1.01
      panel.current?.style.setProperty('--chat-top', isZoomed ? null : `${view.offsetTop}px`)
      panel.current?.style.setProperty('--chat-height', isZoomed ? null : `${view.height}px`)
    }
    fit()
    view?.addEventListener('resize', fit)
    view?.addEventListener('scroll', fit)
    return () => {
      view?.removeEventListener('resize', fit)
      view?.removeEventListener('scroll', fit)
    }
  }, [panel])
}
