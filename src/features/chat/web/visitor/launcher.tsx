import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#src/ui/language.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { tabStorage } from '#src/ui/storage.ts'
import { chatIdStorageKey, resumeStorageKey } from '../../values.ts'
import { launcherTexts } from './launcher-texts.ts'
import { chatAskedId, openChatEvent } from './open-chat.ts'
import { usePanel } from './use-panel.ts'
import './launcher.css'

/** The button at the corner of every public page. The chat itself loads on the first click, and nothing connects before. */
export function ChatLauncher() {
  const t = useTexts(launcherTexts)
  const { Panel, stage, setStage } = usePanel('shut')
  const [unread, setUnread] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  const asked = useRef<HTMLParagraphElement>(null)
  const wantsFocus = useRef(false)

  useEffect(() => {
    const open = () => setStage((now) => (now === 'small' || now === 'open' ? 'open' : 'loading'))
    window.addEventListener(openChatEvent, open)
    const notice = asked.current
    const wasAsked = notice?.popover && notice.matches(':popover-open')
    if (wasAsked) notice.hidePopover()
    if (wasAsked || hasRunningChat()) open()
    return () => window.removeEventListener(openChatEvent, open)
  }, [setStage])

  useEffect(() => {
    if (stage === 'open') setUnread(0)
    if ((stage === 'small' || stage === 'shut') && wantsFocus.current) button.current?.focus()
    wantsFocus.current = stage === 'open'
  }, [stage])

  return (
    <aside aria-label={t('chat')} className="needs-script print:hidden">
      {stage !== 'open' && (
        <div className="fixed right-4 bottom-4 z-40 grid justify-items-end gap-2">
          <p
            role="alert"
            className={stage === 'failed' ? 'rounded-card bg-err-soft px-4 py-3 font-bold text-err shadow-float' : 'sr-only'}
          >
            {stage === 'failed' && t('failed')}
          </p>
          <button
            ref={button}
            type="button"
            className="button button-primary chat-launcher"
            aria-busy={stage === 'loading' || undefined}
            popoverTarget={chatAskedId}
            onClick={(event) => {
              event.preventDefault()
              setStage(Panel && stage === 'small' ? 'open' : 'loading')
            }}
          >
            {stage === 'loading' ? <Spinner /> : <span className="chat-launcher-lamp" aria-hidden="true" />}
            <span className="max-sm:sr-only">{t('chat')}</span>
            {unread > 0 && (
              <span className="badge badge-count">
                <span aria-hidden="true">{unread}</span>
                <span className="sr-only">{t('unread', { count: unread })}</span>
              </span>
            )}
          </button>
        </div>
      )}
      <p ref={asked} id={chatAskedId} popover="auto" role="status" className="popover-notice">
        {t('asked')}
      </p>
      {Panel && (
        <Panel
          isSmall={stage === 'small'}
          onMinimize={() => setStage('small')}
          onClose={() => setStage('shut')}
          onUnread={setUnread}
        />
      )}
    </aside>
  )
}

export const hasRunningChat = () => (tabStorage.read(chatIdStorageKey) ?? tabStorage.read(resumeStorageKey)) !== null
