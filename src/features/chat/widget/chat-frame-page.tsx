import type { MouseEvent } from 'react'
import { useCallback, useEffect, useState } from 'react'
import { company } from '#company/company.ts'
import { languageOf } from '#src/ui/page/page-meta.ts'
import { translator, defineTexts } from '#src/lib/language/texts.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Loading } from '#src/ui/components/loading.tsx'
import { openStorage, tabStorage } from '#src/ui/storage.ts'
import { chatIdStorageKey, resumeStorageKey } from '../keys.ts'
import type { Route } from './+types/chat-frame-page.ts'
import { hasRunningChat, usePanel } from './launcher.tsx'
import './chat-frame.css'

/** The page that other sites show in a frame, around the chat's window. */
export const chatFrameTexts = defineTexts({
  fr: {
    title: 'Clavardage de {company}',
    loading: 'Chargement du clavardage…',
    failed: 'Une erreur est survenue avec le clavardage.',
    reopen: 'Rouvrir le clavardage',
    needsScript: 'Le clavardage a besoin de JavaScript. Activez-le, puis rechargez la page.',
  },
  en: {
    title: '{company} live chat',
    loading: 'Loading the chat…',
    failed: 'An error occurred with the chat.',
    reopen: 'Open the chat again',
    needsScript: 'The chat needs JavaScript. Turn it on, then reload the page.',
  },
})

export function meta({ matches }: Route.MetaArgs) {
  const t = translator(chatFrameTexts, languageOf(matches))
  return [{ title: t('title', { company: company.name }) }, { name: 'robots', content: 'noindex' }]
}

/** The chat as a page of its own, which the company's other sites show in a frame by embed.js. */
export default function ChatFramePage() {
  const t = useTexts(chatFrameTexts)
  const title = t('title', { company: company.name })
  const { Panel, stage, setStage } = usePanel('loading')
  const [resumed, setResumed] = useState('')

  useEffect(() => {
    const listen = ({ data, origin, source }: MessageEvent<ParentMessage>) => {
      if (source !== window.parent || origin !== parentOrigin()) return
      if (data.guichet === 'resume' && typeof data.id_chat === 'string' && !hasRunningChat()) {
        tabStorage.write(chatIdStorageKey, data.id_chat)
        setResumed(data.id_chat)
      }
      if (data.guichet !== 'open') return
      setStage((now) => (now === 'small' || now === 'open' ? 'open' : 'loading'))
    }
    window.addEventListener('message', listen)
    postToParent({ guichet: 'ready' })
    return () => window.removeEventListener('message', listen)
  }, [setStage])

  const handleUnread = useCallback((unread: number) => postState(unread), [])
  const leave = (to: 'small' | 'closed') => {
    setStage(to)
    postState(0)
    postToParent({ guichet: 'shut' })
  }
  return (
    // Links of the chat lead to the site, which no frame may show.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions, jsx-a11y/no-noninteractive-element-interactions -- the links themselves take the keyboard
    <section aria-label={title} className="chat-frame" onClickCapture={openApart}>
      <h1 className="sr-only">{title}</h1>
      <noscript>
        <p className="p-5">{t('needsScript')}</p>
      </noscript>
      {stage === 'loading' && (
        <div className="needs-script p-5">
          <Loading label={t('loading')} />
        </div>
      )}
      {stage === 'failed' && (
        <p role="alert" className="m-5 rounded-field bg-err-soft px-4 py-3 font-bold text-err">
          {t('failed')}
        </p>
      )}
      {(stage === 'closed' || stage === 'small' || stage === 'failed') && (
        <div className="p-5">
          <Button onClick={() => setStage(stage === 'small' ? 'open' : 'loading')}>{t('reopen')}</Button>
        </div>
      )}
      {Panel && (
        <Panel
          // Remounts the panel once the parent page posted the key.
          key={resumed}
          isSmall={stage === 'small'}
          onMinimize={() => leave('small')}
          onClose={() => leave('closed')}
          onUnread={handleUnread}
        />
      )}
    </section>
  )
}

/** Origin of the site that shows the frame; `frame-ancestors` allows listed ones only. */
function parentOrigin() {
  const page = new URLSearchParams(location.search).get('page') ?? document.referrer
  return URL.canParse(page) ? new URL(page).origin : null
}

type ParentMessage = { guichet?: string; id_chat?: unknown }
type FrameMessage = { guichet: string; unread?: number; running?: boolean; id_chat?: string }

/** Without storage of its own the frame posts the key of the conversation to the parent page, which stores it. */
function postState(unread: number) {
  const [idChat] = [chatIdStorageKey, resumeStorageKey].flatMap((key) => {
    const stored = tabStorage.read(key)
    // A newly opened storage has no fallback in memory: it reads what the browser itself stored.
    return stored && openStorage('sessionStorage').read(key) !== stored ? [stored] : []
  })
  postToParent({ guichet: 'state', unread, running: hasRunningChat(), id_chat: idChat })
}

function postToParent(message: FrameMessage) {
  const origin = parentOrigin()
  if (window.parent !== window && origin) window.parent.postMessage(message, origin)
}

function openApart(event: MouseEvent) {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
  if (!link || !/^https?:$/.test(link.protocol) || link.hasAttribute('download')) return
  event.preventDefault()
  event.stopPropagation()
  window.open(link.href, '_blank', 'noopener')
}
