export const redirectStatuses = [301, 302, 410] as const
export type RedirectStatus = (typeof redirectStatuses)[number]

/** `waiting`: its target is not published, so it is out of service. `broken`: its target does not exist. */
export const redirectStates = ['ok', 'waiting', 'broken'] as const
export type RedirectState = (typeof redirectStates)[number]

export const addressMax = 1_000
export const redirectsPerPage = 50
/** Addresses asked in vain are stored for so long after the last request. */
export const missingDays = 90

/** Parameters by which WordPress names a page without its permanent address. */
export const wordpressIds = ['p', 'page_id', 'attachment_id', 'cat'] as const
const isWordpressId = (name: string) => (wordpressIds as readonly string[]).includes(name)

/** An address to match, decoded. */
export type Pattern = {
  /** Without the slash at its end, but for `/`; the beginning of a path where `isPrefix`. */
  path: string
  isPrefix: boolean
  /** Parameters that must be there. */
  query: readonly (readonly [name: string, value: string])[]
}

// oxlint-disable-next-line no-control-regex -- these are what is refused
const unsafe = /[\u0000-\u0020\u007F-\u00A0\u2028\u2029\\]/

/**
 * The path as people read it: decoded, in NFC. Null where it cannot be decoded, or holds a control character, a backslash, an
 * encoded slash or a step up, none of which any address of a site has.
 */
export function decodePath(path: string): string | null {
  try {
    const decoded = path
      .split('/')
      .map((part) => decodeURIComponent(part).normalize('NFC'))
      .map((part) => (part.includes('/') ? '\0' : part))
    const isStep = decoded.some((part) => part === '.' || part === '..')
    const text = decoded.join('/')
    return isStep || unsafe.test(text.replaceAll(' ', '')) || !text.isWellFormed() ? null : text
  } catch {
    return null
  }
}

export const withoutEndSlash = (path: string) => (path === '/' ? path : path.replace(/\/+$/, '') || '/')

/** Reads an old address as staff or an import gave it; null where it is none. */
export function parseFrom(from: string): Pattern | null {
  if (!/^\/(?!\/)/.test(from) || from.includes('#')) return null
  const [rawPath = '', ...rest] = from.split('?')
  const isPrefix = from.endsWith('*')
  if (from.slice(0, isPrefix ? -1 : undefined).includes('*') || (isPrefix && rest.length > 0)) return null
  const path = decodePath(isPrefix ? rawPath.slice(0, -1) : rawPath)
  if (path === null || path.includes('//')) return null
  const query = [...new URLSearchParams(rest.join('?'))]
  if (unsafe.test(from) || query.some(([name, value]) => name === '' || !`${name}${value}`.isWellFormed())) return null
  return { path: isPrefix ? path : withoutEndSlash(path), isPrefix, query }
}

/** Equal for two spellings of one old address. */
export function keyOf({ path, isPrefix, query }: Pattern) {
  const sorted = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).toSorted()
  return `${path}${isPrefix ? '*' : ''}${sorted.length > 0 ? `?${sorted.join('&')}` : ''}`
}

/** True for the home page with one of WordPress's ids, which is an address of its own. */
export const isWordpressPage = ({ path, query }: Pattern) =>
  (path === '/' || /^\/(?:fr|en)$/i.test(path)) && query.length > 0 && query.every(([name]) => isWordpressId(name))

/** True for a path of this site or an https address, with `*` at its end only. */
export function isTarget(to: string) {
  const isPrefix = to.endsWith('*')
  const address = isPrefix ? to.slice(0, -1) : to
  if (unsafe.test(to) || address.includes('*') || !to.isWellFormed()) return false
  if (isPrefix && /[?#]/.test(address)) return false
  if (address.startsWith('/')) return !address.startsWith('//') && decodePath(address.split(/[?#]/, 1)[0] ?? '') !== null
  // What is appended to a host without a path would be part of its name.
  if (!/^https:\/\/[^/?#@]+(?:[/?#]|$)/i.test(address) || (isPrefix && !/^https:\/\/[^/?#]+\//i.test(address))) return false
  return URL.canParse(address)
}
