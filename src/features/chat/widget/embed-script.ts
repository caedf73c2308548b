import type { BrowserStorage } from '#src/ui/storage.ts'

/** The style of the launcher and its frame, in a shadow root that the other site's style does not reach. */
export const embedStyle = `:host{all:initial}
*{box-sizing:border-box;font:700 17px/1.5 system-ui,sans-serif}
[hidden]{display:none!important}
aside{position:fixed;right:16px;bottom:16px;z-index:2147483647;display:grid;gap:8px;justify-items:end}
button{display:flex;align-items:center;gap:10px;min-height:52px;padding:8px 22px;border:2px solid transparent;border-radius:26px;background:#1746a2;color:#fff;cursor:pointer;box-shadow:0 4px 20px #14213d4d}
button:hover{background:#14213d}
button:focus-visible{outline:3px solid #ffb224;outline-offset:3px}
i{width:12px;height:12px;border-radius:50%;background:#ffb224}
b{padding:0 8px;border-radius:12px;background:#fff;color:#14213d}
b:empty{display:none}
p{margin:0;padding:12px 16px;border-radius:14px;background:#fce8e6;color:#b3261e}
p:empty{padding:0}
iframe{position:fixed;right:16px;bottom:16px;width:376px;height:min(640px,100dvh - 32px);border:0;border-radius:24px;background:#faf7f1;box-shadow:0 8px 40px #14213d4d}
@media(width<480px){iframe{inset:0;width:100%;height:100dvh;border-radius:0}}`

type EmbedTexts = { chat: string; title: string; unread: string; failed: string }

/**
 * Runs on the pages of another site, as `<script src="…/webchat/embed.js" async>`: the server sends the text of this
 * one function, so it may use nothing from outside of it. It works under a strict policy of that site (no inline
 * style, no HTML from text), and loads the chat on the first click, or at once for a running conversation.
 */
export function runEmbed(allTexts: Record<string, EmbedTexts>, path: string, style: string, storage: BrowserStorage) {
  const script = document.currentScript as HTMLScriptElement | null
  if (!script || document.querySelector('#guichet-chat')) return
  const { origin: home } = new URL(script.src)
  const language = /^en/i.test(script.dataset.lang ?? document.documentElement.lang) ? 'en' : 'fr'
  const texts = allTexts[language]
  if (!texts) return
  const make = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, text = '') =>
    Object.assign(document.createElement(tag), { textContent: text })

  const host = make('div')
  host.id = 'guichet-chat'
  host.lang = `${language}-CA`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]

  const aside = make('aside')
  aside.ariaLabel = texts.title
  const alert = make('p')
  alert.role = 'alert'
  const button = make('button')
  button.type = 'button'
  const badge = make('b')
  button.append(make('i'), texts.chat, badge)
  aside.append(alert, button)
  root.append(aside)
  document.body.append(host)

  // Stored while a conversation runs: '1', or what the frame has no storage of its own for: its key and what is unsent.
  const storageKey = 'guichet_chat'
  const isRunning = '1'
  let frame: HTMLIFrameElement | undefined
  let isReady = false
  // Until the frame has taken the key over, what it reports about a running conversation is not known to be true.
  let isResuming = false
  const show = (open: boolean) => {
    if (frame) frame.hidden = !open
    button.hidden = open
    if (open) frame?.focus()
    else button.focus()
  }
  const open = () => {
    alert.textContent = ''
    if (frame) frame.contentWindow?.postMessage({ guichet: 'open' }, home)
    else {
      const made = make('iframe')
      frame = made
      isReady = false
      made.title = texts.title
      made.src = `${home}${path}?lang=${language}&page=${encodeURIComponent(location.origin + location.pathname)}`
      // A frame that the policy refuses also fires `load`, but posts no message.
      made.addEventListener('load', () => setTimeout(() => isReady || fail(made), 6_000))
      aside.append(made)
    }
    show(true)
  }
  const fail = (made: HTMLIFrameElement) => {
    made.remove()
    frame = undefined
    alert.textContent = texts.failed
    show(false)
  }

  button.addEventListener('click', open)
  addEventListener(
    'message',
    ({ data, origin, source }: MessageEvent<{ guichet?: string; unread?: number; running?: boolean; id_chat?: string }>) => {
      if (!frame || origin !== home || source !== frame.contentWindow) return
      const { guichet, unread = 0, running = false, id_chat: key = isRunning } = data
      if (guichet === 'ready') {
        isReady = true
        const stored = storage.read(storageKey)
        isResuming = stored !== null && stored !== isRunning
        if (isResuming) frame.contentWindow?.postMessage({ guichet: 'resume', id_chat: stored }, home)
      }
      if (guichet === 'state') {
        badge.textContent = unread ? String(unread) : ''
        button.ariaLabel = unread ? `${texts.chat} (${texts.unread}${unread})` : null
        if (running) isResuming = false
        if (!isResuming) storage.write(storageKey, running ? key : null)
      }
      if (guichet === 'shut') show(false)
    },
  )
  if (storage.read(storageKey)) open()
}
