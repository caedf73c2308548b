import { useEffect, useRef, useState } from 'react'
import type { ComponentType, KeyboardEvent } from 'react'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Spinner } from '#src/ui/components/spinner.tsx'
import { tabStorage } from '#src/ui/storage.ts'
import { useHydrated } from '#src/ui/first-load.ts'
import { openChatEvent } from '#src/ui/page/public-context.ts'
import { chatIdStorageKey, resumeStorageKey } from '../keys.ts'
import { OpeningSign, openingTexts } from './opening.tsx'
import type { ChatPanelProps } from './panel.tsx'
import './launcher.css'
import { defineTexts } from '#src/lib/language/texts.ts'

/** Of the launcher alone: the panel's texts load with the panel. */
export const launcherTexts = defineTexts({
  fr: {
    name: 'Clavardage :',
    chat: 'Clavarder',
    leaveMessage: 'Laisser un message',
    opening: 'Ouverture du clavardage…',
    failed: 'Une erreur est survenue avec le clavardage.',
    unread: '{count} {count|nouveau message|nouveaux messages}',
  },
  en: {
    name: 'Live chat:',
    chat: 'Chat',
    leaveMessage: 'Leave a message',
    opening: 'Opening live chat…',
    failed: 'An error occurred with the chat.',
    unread: '{count} new {count|message|messages}',
  },
})

/** The button at the corner of every public page. The chat loads and connects on the first click. */
export function ChatLauncher({ availability, strip }: Pick<ChatPanelProps, 'availability' | 'strip'>) {
  const t = useTexts(launcherTexts)
  const isReady = useHydrated()
  const { Panel, stage, setStage } = usePanel('closed')
  const [unread, setUnread] = useState(0)
  const opening = useTexts(openingTexts)
  // A running conversation stays open when the chat closes.
  const offersChat = stage !== 'closed' || !availability || availability.state === 'open'
  const button = useRef<HTMLAnchorElement>(null)
  const notice = useRef<HTMLParagraphElement>(null)
  const wantsFocus = useRef(false)

  useEffect(() => {
    const open = () => setStage((now) => (now === 'small' || now === 'open' ? 'open' : 'loading'))
    window.addEventListener(openChatEvent, open)
    const popover = notice.current
    const wasRequested = popover?.popover && popover.matches(':popover-open')
    if (wasRequested) popover.hidePopover()
    if (wasRequested || hasRunningChat()) open()
    return () => window.removeEventListener(openChatEvent, open)
  }, [setStage])

  useEffect(() => {
    if (stage === 'open') setUnread(0)
    if ((stage === 'small' || stage === 'closed') && wantsFocus.current) button.current?.focus()
    wantsFocus.current = stage === 'open'
  }, [stage])

  return (
    <aside aria-label={t('chat')} className="print:hidden">
      {stage !== 'open' && (
        <div className="fixed end-4 bottom-4 z-40 grid justify-items-end gap-2">
          <p
            role="alert"
            className={stage === 'failed' ? 'rounded-card bg-err-soft px-4 py-3 font-bold text-err shadow-float' : 'sr-only'}
          >
            {stage === 'failed' && t('failed')}
          </p>
          <Link
            ref={button}
            to="/appel-de-service"
            {...chatButton(isReady)}
            className="button button-primary chat-launcher"
            aria-busy={stage === 'loading' || undefined}
            onClick={(event) => {
              event.preventDefault()
              setStage(Panel && stage === 'small' ? 'open' : 'loading')
            }}
          >
            {stage === 'loading' ? <Spinner /> : <OpeningSign availability={availability} />}
            <span className="chat-launcher-dots" />
            <span className="sr-only">{t('name')}</span>
            {availability?.emergency && <span className="sr-only">{`${opening('emergency')}, `}</span>}
            <span className="chat-launcher-text max-sm:sr-only">{t(offersChat ? 'chat' : 'leaveMessage')}</span>
            <span className="chat-launcher-form max-sm:sr-only">{t('leaveMessage')}</span>
            {unread > 0 && (
              <span className="badge badge-count">
                <span aria-hidden="true">{unread}</span>
                <span className="sr-only">{t('unread', { count: unread })}</span>
              </span>
            )}
          </Link>
        </div>
      )}
      <p ref={notice} id={chatRequestedId} popover="auto" role="status" className="popover-notice">
        {t('opening')}
      </p>
      {Panel && (
        <Panel
          availability={availability}
          strip={strip}
          isSmall={stage === 'small'}
          onMinimize={() => setStage('small')}
          onClose={() => setStage('closed')}
          onUnread={setUnread}
        />
      )}
    </aside>
  )
}

export const hasRunningChat = () => (tabStorage.read(chatIdStorageKey) ?? tabStorage.read(resumeStorageKey)) !== null

type Stage = 'closed' | 'loading' | 'open' | 'small' | 'failed'

/** The stage of the chat and, once it is loaded, its panel. It loads while the stage is `loading`. */
export function usePanel(first: Stage) {
  const [Panel, setPanel] = useState<ComponentType<ChatPanelProps> | null>(null)
  const [stage, setStage] = useState(first)

  useEffect(() => {
    if (stage !== 'loading') return
    let isGone = false
    import('./panel.tsx').then(
      (loaded) => {
        if (isGone) return
        setPanel(() => loaded.ChatPanel)
        setStage('open')
      },
      () => !isGone && setStage('failed'),
    )
    return () => {
      isGone = true
    }
  }, [stage])

  return { Panel: stage === 'open' || stage === 'small' ? Panel : null, stage, setStage }
}

/** Dispatched on `window` to open the chat; the launcher listens. */
/** Shown by a tap while the page's script loads: the chat follows, or the form without script. */
const chatRequestedId = 'chat-requested'

export function openChat(event: { preventDefault: () => void }) {
  event.preventDefault()
  window.dispatchEvent(new CustomEvent(openChatEvent))
}

/** Props of a link to the form that is a button of the chat once the page's script `isReady`. */
export function chatButton(isReady: boolean) {
  if (!isReady) return { 'data-chat': '' }
  return {
    role: 'button',
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== ' ') return
      event.preventDefault()
      event.currentTarget.click()
    },
  }
}
