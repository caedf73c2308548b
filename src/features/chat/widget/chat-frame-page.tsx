import type { MouseEvent } from 'react'
import { useCallback, useEffect, useState } from 'react'
import { company } from '#company/company.ts'
import { languageOf } from '#src/ui/page/page-meta.ts'
import { translator, defineTexts } from '#src/lib/language/texts.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Loading } from '#src/ui/components/loading.tsx'
import { openStorage, tabStorage } from '#src/ui/storage.ts'
import type { StoredUnsent, UnsentStorage } from '../client/outbox.ts'
import { chatIdStorageKey, draftStorageKey, resumeStorageKey } from '../keys.ts'
import { useLive } from '#src/ui/live/use-live.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
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

export async function loader({ context }: Route.LoaderArgs) {
  const { since, services } = context.get(pageContext)
  return { since, availability: await services.chat.findState() }
}

export function meta({ matches }: Route.MetaArgs) {
  const t = translator(chatFrameTexts, languageOf(matches))
  return [{ title: t('title', { company: company.name }) }, { name: 'robots', content: 'noindex' }]
}

const ignore = () => undefined

/** The chat as a page of its own, which the company's other sites show in a frame by embed.js. */
export default function ChatFramePage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(chatFrameTexts)
  const title = t('title', { company: company.name })
  const { Panel, stage, setStage } = usePanel('loading')
  const [resumed, setResumed] = useState('')
  const [availability, setAvailability] = useState(loaderData.availability)
  useLive(ignore, loaderData.since, setAvailability)

  useEffect(() => {
    const listen = ({ data, origin, source }: MessageEvent<ParentMessage>) => {
      if (source !== window.parent || origin !== parentOrigin()) return
      if (data.guichet === 'resume' && typeof data.id_chat === 'string' && !hasRunningChat()) {
        restore(data.id_chat)
        setResumed(data.id_chat)
      }
      if (data.guichet !== 'open') return
      setStage((now) => (now === 'small' || now === 'open' ? 'open' : 'loading'))
    }
    window.addEventListener('message', listen)
    postToParent({ guichet: 'ready' })
    return () => window.removeEventListener('message', listen)
  }, [setStage])

  const handleUnread = useCallback((count: number) => {
    unread = count
    postState()
  }, [])
  const leave = (to: 'small' | 'closed') => {
    setStage(to)
    unread = 0
    postState()
    postToParent({ guichet: 'shut' })
  }
  return (
    // Links of the chat lead to the site, which no frame may show.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions, jsx-a11y/no-noninteractive-element-interactions -- the links themselves take the keyboard
    <section aria-label={title} className="chat-frame" onClickCapture={openApart} onInput={() => setTimeout(postState)}>
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
          availability={availability}
          storage={hasStorage() ? undefined : unsentStorage}
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
/** `id_chat` is opaque to the parent page. */
type FrameMessage = { guichet: string; unread?: number; running?: boolean; id_chat?: string }

let unread = 0

/** A newly opened storage has no fallback in memory: it reads what the browser itself stored. */
const isInMemory = (key: string) => tabStorage.read(key) !== openStorage('sessionStorage').read(key)

function hasStorage() {
  const key = 'guichet_probe'
  openStorage('sessionStorage').write(key, key)
  return openStorage('sessionStorage').read(key) !== null
}

const unsent = new Map<string, StoredUnsent>()
const unsentStorage: UnsentStorage = {
  async put(one) {
    unsent.set(one.client_message_id, one)
    postState()
    return true
  },
  async update(one) {
    if (unsent.has(one.client_message_id)) await unsentStorage.put(one)
  },
  async delete(id) {
    unsent.delete(id)
    postState()
  },
  readAll: async () => [...unsent.values()],
}

type StoredByParent = { id_chat: string; draft?: string | null; unsent?: StoredUnsent[] }

/** Without storage of its own the frame posts the key of the conversation and what is unsent to the parent page, which stores it. */
function postState() {
  const key = [chatIdStorageKey, resumeStorageKey].find((one) => tabStorage.read(one) && isInMemory(one))
  const idChat = key && tabStorage.read(key)
  const stored: StoredByParent | null = idChat
    ? { id_chat: idChat, draft: tabStorage.read(draftStorageKey), unsent: [...unsent.values()] }
    : null
  postToParent({ guichet: 'state', unread, running: hasRunningChat(), ...(stored && { id_chat: JSON.stringify(stored) }) })
}

/** Takes back what the parent page stored; the frame of an earlier version stored the key alone. */
function restore(text: string) {
  const stored = text.startsWith('{') ? (JSON.parse(text) as StoredByParent) : { id_chat: text }
  tabStorage.write(chatIdStorageKey, stored.id_chat)
  if (stored.draft) tabStorage.write(draftStorageKey, stored.draft)
  for (const one of stored.unsent ?? []) unsent.set(one.client_message_id, one)
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
