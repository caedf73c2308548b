import { useCallback, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { Loading } from '#src/ui/components/loading.tsx'
import { texts } from './panel-texts.ts'
import { PanelConversation } from './panel-conversation.tsx'
import { LazyComponent, BrokenNotice } from './panel-notices.tsx'
import { PanelHead } from './panel-head.tsx'
import { PanelLogin } from './panel-login.tsx'
import { createVisitorSession } from './visitor-session.ts'
import { isMuted as isStoredMuted, storeMuted } from './visitor-storage.ts'
import './chat.css'
import { useLocation } from 'react-router'
import type { Availability } from '#src/lib/availability.ts'
import { withCount } from '#src/lib/text/counted-title.ts'
import type { UnsentStorage } from '../client/outbox.ts'
import type { ChatMessage } from '../protocol.ts'

const loadEnding = () => import('./panel-ending.tsx').then((loaded) => loaded.EndQuestion)
const loadHours = () => import('./panel-closed.tsx').then((loaded) => loaded.InactiveHours)
const loadClosed = () => import('./panel-closed.tsx').then((loaded) => loaded.ClosedNotice)
const loadTranscript = () => import('./panel-ending.tsx').then((loaded) => loaded.TranscriptQuestion)

const loadSound = () => import('./new-message-sound.ts').then((loaded) => loaded.playNewMessage)

export type ChatPanelProps = {
  /** As the page shows it, live. */
  availability: Availability | null
  /** What is wrong with the networks, as HTML of the server. */
  strip?: string | undefined
  /** Minimized: the conversation goes on behind the launcher's button. */
  isSmall: boolean
  onMinimize: () => void
  onClose: () => void
  onUnread: (count: number) => void
  /** For unsent texts, where the browser has none. */
  storage?: UnsentStorage | undefined
}

/** The chat's window: beside the page, no modal dialog; the whole screen on a phone. */
export function ChatPanel({ availability, strip, isSmall, onMinimize, onClose, onUnread, storage }: ChatPanelProps) {
  const t = useTexts(texts)
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  const [session] = useState(() => createVisitorSession({ storage }))
  const { client } = session
  const state = useSyncExternalStore(session.subscribe, session.read, session.read)
  const readConversation = () => client.conversation(state.idChat)
  const conversation = useSyncExternalStore(client.subscribe, readConversation, readConversation)
  const [isEnding, setEnding] = useState(false)
  const [isMuted, setMuted] = useState(isStoredMuted)
  const { phase, idChat } = state
  // What the page shows of the availability is live.
  const current = state.availability && { ...state.availability, ...availability }

  useEffect(() => {
    session.start()
    window.addEventListener('pagehide', session.sendLeave)
    return () => {
      window.removeEventListener('pagehide', session.sendLeave)
      session.stop()
    }
  }, [session])

  // Each phase moves the focus to where the visitor acts next.
  useEffect(() => {
    if (isSmall) return
    const target = panel.current?.querySelector<HTMLElement>('[data-first]') ?? panel.current
    target?.focus()
  }, [phase, isSmall, isEnding])

  const isRunning = phase === 'open'
  const { messages } = conversation
  const handleRead = useCallback(
    (seq: number) => {
      if (idChat) client.markRead(idChat, seq)
    },
    [client, idChat],
  )
  useVisitorAlerts({ messages, isOpen: isRunning, isSmall, isMuted, onUnread, onRead: handleRead })
  usePhoneScreen(panel)

  const close = () => {
    if (isRunning) return setEnding(true)
    if (phase === 'ended') session.forget()
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
        availability={current}
        messages={messages}
        isMuted={isMuted}
        onMute={() => {
          storeMuted(!isMuted)
          setMuted(!isMuted)
        }}
        onMinimize={onMinimize}
        onClose={close}
      />
      {strip && !isRunning && <RichText html={strip} className="" />}
      {(phase === 'checking' || phase === 'joining') && (
        <div className="p-5">
          <Loading label={t(phase)} />
        </div>
      )}
      {phase === 'closed' && current && (
        <LazyComponent load={loadClosed} with={{ session, availability: current, onLeave: onClose }} />
      )}
      {phase === 'form' && current && (
        <PanelLogin session={session} refused={state.refusedLogin} availability={current} onLeave={onClose} />
      )}
      {(phase === 'broken' || phase === 'nobody') && (
        <BrokenNotice phase={phase} session={session} onLeave={onClose}>
          {phase === 'broken' && !idChat && availability && <LazyComponent load={loadHours} with={availability} />}
        </BrokenNotice>
      )}
      {isRunning && (
        <div className="contents" inert={isEnding}>
          <PanelConversation session={session} state={state} conversation={conversation} onLeave={onMinimize} />
        </div>
      )}
      {isRunning && isEnding && (
        <LazyComponent
          load={loadEnding}
          with={{
            onStay: () => setEnding(false),
            onEnd: async () => {
              await session.end()
              setEnding(false)
            },
          }}
        />
      )}
      {phase === 'ended' && state.idChat && (
        <LazyComponent
          load={loadTranscript}
          with={{ session, idChat: state.idChat, isRated: messages.length > 0, canMail: state.canMail }}
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
      // While pinch-zoomed the panel keeps its size.
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

type Alerts = {
  messages: readonly ChatMessage[]
  /** Messages that arrive while it is open are new. */
  isOpen: boolean
  isSmall: boolean
  isMuted: boolean
  onUnread: (count: number) => void
  onRead: (seq: number) => void
}

/** Counts messages that arrive while the panel is not visible, announces them by a sound and in the tab's title, and marks visible ones as read. */
export function useVisitorAlerts({ messages, isOpen, isSmall, isMuted, onUnread, onRead }: Alerts) {
  const [unread, setUnread] = useState(0)
  const lastVisibleSeq = useRef(0)
  const lastAnnouncedSeq = useRef<number | null>(null)

  useEffect(() => {
    const update = () => {
      if (!isSmall && document.visibilityState === 'visible') {
        lastVisibleSeq.current = messages.at(-1)?.seq ?? 0
        onRead(messages.findLast((one) => one.bz_staff)?.seq ?? 0)
      }
      const count = messages.filter((one) => one.bz_staff && one.seq > lastVisibleSeq.current).length
      setUnread(count)
      onUnread(count)
    }
    update()
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [messages, isOpen, isSmall, onUnread, onRead])

  useEffect(() => {
    const last = messages.findLast((one) => one.bz_staff)?.seq ?? 0
    const isNew = isOpen && lastAnnouncedSeq.current !== null && last > lastAnnouncedSeq.current
    lastAnnouncedSeq.current = isOpen ? last : null
    if (isNew && !isMuted && (isSmall || !document.hasFocus())) void loadSound().then((play) => play(), console.warn)
  }, [messages, isOpen, isSmall, isMuted])

  useTitle(unread)
}

/** `(2) Company`: prefixes the page's title, also after a navigation. */
function useTitle(unread: number) {
  const { key } = useLocation()
  useEffect(() => {
    document.title = withCount(unread, document.title)
  }, [unread, key])
}
