/** Local or session storage whose calls never throw. */
export type BrowserStorage = {
  read: (key: string) => string | null
  /** Null removes the entry. */
  write: (key: string, value: string | null) => void
  /** What the browser refused to write, until the page is left. */
  memory: ReadonlyMap<string, string | null>
}

/**
 * A browser may block storage (the getter throws) or writing (quota); the values are then stored in memory until the page is
 * left. Self-contained: the script for other sites embeds the source of this function.
 */
export function openStorage(kind: 'localStorage' | 'sessionStorage'): BrowserStorage {
  const memory = new Map<string, string | null>()
  return {
    memory,
    read(key) {
      const stored = memory.get(key)
      if (stored !== undefined) return stored
      try {
        return window[kind].getItem(key)
      } catch {
        return null
      }
    },
    write(key, value) {
      memory.delete(key)
      try {
        // An older value must not stay when the new one does not fit.
        window[kind].removeItem(key)
        if (value !== null) window[kind].setItem(key, value)
      } catch {
        memory.set(key, value)
      }
    },
  }
}

/** Lives as long as the tab, across reloads. */
export const tabStorage = openStorage('sessionStorage')
/** Shared by all tabs, across restarts. */
export const deviceStorage = openStorage('localStorage')

const refusedCookies = new Map<string, string>()

export function readCookie(name: string) {
  try {
    const found = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
    if (found) return decodeURIComponent(found.slice(name.length + 1))
  } catch {
    // Blocked, or not a cookie of this product.
  }
  return refusedCookies.get(name)
}

/** Stores a choice of the visitor for a year in a cookie, which the server reads too; in memory where cookies are blocked. */
export function writeCookie(name: string, value: string) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  refusedCookies.set(name, value)
  try {
    document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
  } catch {
    // Stored in memory.
  }
}

const readKey = 'read_pages'

/** Addresses of the articles that were read in this tab, the last first; they leave it when a conversation begins. */
export const readPages = () => (tabStorage.read(readKey) ?? '').split(' ').filter(Boolean)

/** True the first time in this tab. */
export function noteRead(url: string) {
  const isFirst = !readPages().includes(url)
  tabStorage.write(readKey, [...new Set([url, ...readPages()])].slice(0, 10).join(' '))
  return isFirst
}

/** Session storage key of what the visitor wrote in the chat and did not send yet. */
export const chatDraftKey = 'chat_kept'
