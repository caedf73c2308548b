// oxlint-disable no-restricted-globals -- src/ui/storage.ts is not there yet: each use is guarded
import type { followLive } from '#src/ui/live/live-stream.ts'

declare global {
  /** What was typed for the command palette so far, null where it was not asked for; the keys are the page's from then on. */
  var takePaletteKeys: (() => string | null) | undefined
}

/** A page that is mostly read. */
export type ReadingPage = {
  /** Address of live-stream.ts as built. */
  live: string
  /** When the page was rendered, as the live stream counts. */
  since: number
  build: string
  keys: { view: string; language: string; chat: string; resume: string }
}

// These functions are sent within the page as their own source text: they use nothing but their parameters and the browser.

/**
 * Queues a tap on a chat link before the page's script is loaded: shows the notice, and the launcher handles it later. If no
 * script loads, the link is followed.
 */
export function queueChatTaps() {
  let held: HTMLAnchorElement | undefined
  let isLost = false
  const follow = () => held?.isConnected && held.role !== 'button' && location.assign(held.href)
  const onLost = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'modulepreload') return
    isLost = true
    follow()
  }
  addEventListener('error', onLost, true)
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-chat]')
    if (!link || isLost || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    held = link
    document.getElementById('chat-requested')?.showPopover?.()
    setTimeout(follow, 8000)
  })
}

/**
 * Waits until the visitor is about to use the page or something on it changed: its scripts weigh twice as much as the rest of
 * the page, and most visitors only read it. What is changed here is set back before hydration, which expects the page as sent.
 */
export async function waitUntilUsed(page: ReadingPage, load: (file: string) => Promise<{ followLive: typeof followLive }>) {
  const { live, since, build, keys } = page
  const controls = "a, button, input, select, summary, textarea, [tabindex='0']"
  const types = ['focusin', 'keydown', 'pointerover'] as const
  const { title } = document
  const icon = Object.assign(document.createElement('link'), { rel: 'icon', type: 'image/svg+xml' })
  let start = () => {}
  const used = new Promise<void>((resolve) => (start = resolve))
  let leave = () => {}
  let shown: string | undefined
  let isOver = false
  const begin = () => {
    if (isOver) return
    isOver = true
    leave()
    for (const type of types) removeEventListener(type, onUse, true)
    removeEventListener('pagehide', leave)
    removeEventListener('pageshow', onReturn)
    icon.remove()
    document.title = title
    start()
  }
  const onUse = ({ type, target }: Event) => {
    if (type === 'keydown' || (target instanceof Element && target.closest(controls))) begin()
  }
  const onReturn = ({ persisted }: PageTransitionEvent) => persisted && begin()
  for (const type of types) addEventListener(type, onUse, true)
  addEventListener('pageshow', onReturn)
  // The focus of a ribbon reaches the scripts again once they listen.
  addEventListener('focusin', ({ target, isTrusted }) => {
    if (!isTrusted || !(target instanceof HTMLElement) || !target.matches('.ribbon')) return
    const timer = setInterval(() => {
      if (target.role === 'slider' || document.activeElement !== target) return clearInterval(timer)
      target.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    }, 200)
  })
  // A view chosen before hydration is applied by it.
  addEventListener('click', (event) => {
    const view = event.target instanceof Element && event.target.closest<HTMLElement>('a[data-view]')?.dataset['view']
    if (!view || event.ctrlKey || event.metaKey || event.shiftKey) return
    try {
      localStorage.setItem(keys.view, view)
      event.preventDefault()
    } catch {
      // Storage is refused: the link shows the view.
    }
    begin()
  })
  if (matchMedia('(min-width: 48rem)').matches)
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('.net-fold')) fold.open = true
  try {
    const language = localStorage.getItem(keys.language)
    const isOther = language && !document.documentElement.lang.startsWith(language)
    const chat = sessionStorage.getItem(keys.chat) ?? sessionStorage.getItem(keys.resume)
    if (isOther || localStorage.getItem(keys.view) || chat) begin()
  } catch {
    // Storage is refused: nothing was chosen.
  }
  if (isOver) return
  load(live)
    .then(({ followLive }) => {
      if (isOver) return
      leave = followLive(since, {
        onChanged: (area) => (area === null || /^(networks|notes|updates)$/.test(area)) && begin(),
        onBuild: (running) => running !== build && begin(),
        onAvailability: ({ emergency, state }) => {
          const next = emergency ? 'emergency' : state
          if (shown && shown !== next) return begin()
          if (shown || next === 'open') return (shown = next)
          shown = next
          document.head.append(Object.assign(icon, { href: `/favicon-${next}.svg` }))
          if (emergency) document.title = `(!) ${title}`
        },
      })
      addEventListener('pagehide', leave)
    })
    .catch(begin)
  await used
}

/** Keeps Ctrl and K, and what is typed after it, for the command palette until its own listener takes over. */
export function queuePaletteKeys() {
  let typed: string | null = null
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey) return
    const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k'
    const isLetter = !event.ctrlKey && !event.metaKey && event.key.length === 1
    if (!isCommand && (typed === null || !isLetter)) return
    event.preventDefault()
    typed = isCommand ? '' : typed + event.key
  }
  addEventListener('keydown', onKey)
  globalThis.takePaletteKeys = () => {
    removeEventListener('keydown', onKey)
    globalThis.takePaletteKeys = undefined
    return typed
  }
}

/**
 * Reports what the server cannot see: navigations without a new document, and forms and chats that are begun. Where the
 * first page of the tab was opened from goes with what is sent, and is stored in this tab alone.
 */
export function reportVisits(address: string, key: string, unwanted: string, longest: number) {
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) return
  const wrong = new RegExp(unwanted, 'g')
  const clean = (text: string | null) => (text ?? '').replaceAll(wrong, '').trim().slice(0, longest).trim()
  const query = new URLSearchParams(location.search)
  const from = document.referrer && new URL(document.referrer)
  let source = {
    utm_source: clean(query.get('utm_source')),
    utm_medium: clean(query.get('utm_medium')),
    utm_campaign: clean(query.get('utm_campaign')),
    referrer: from && from.host !== location.host ? clean(from.hostname.replace(/^www\./, '')) : '',
  }
  try {
    const stored = sessionStorage.getItem(key)
    if (stored) source = JSON.parse(stored) as typeof source
    else sessionStorage.setItem(key, JSON.stringify(source))
  } catch {
    // Storage is refused: each page is the first one.
  }
  globalThis.visitSource = source
  const send = (event?: 'form' | 'chat') => {
    const language = new URLSearchParams(location.search).get('lang')
    const path = location.pathname + (language ? `?lang=${language}` : '')
    const body = JSON.stringify({ path, event, source: event && source })
    navigator.sendBeacon?.(address, new Blob([body], { type: 'application/json' }))
  }
  let shown = location.pathname
  const onShown = () => {
    if (location.pathname === shown) return
    shown = location.pathname
    send()
  }
  const push = history.pushState.bind(history)
  history.pushState = (...entry) => {
    push(...entry)
    onShown()
  }
  addEventListener('popstate', onShown)
  const begun = new Set<string>()
  addEventListener('input', ({ target }) => {
    const form = target instanceof Element && target.closest('form')
    const kind = form && (form.closest('.chat-panel, .chat-frame') ? 'chat' : form.elements.namedItem('client_id') && 'form')
    if (!kind || begun.has(kind + shown)) return
    begun.add(kind + shown)
    send(kind)
  })
}
