import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Events } from '../live/events.ts'
import { etagOf } from './shared-responses.ts'

/** A rendered page in UTF-8, split where each response inserts the nonce of its own policy. */
export type CachedPage = { status: number; headers: Headers; parts: Buffer[][]; etag: string }

/**
 * Returns a mark in place of long HTML, which the cache replaces by these bytes: a renderer that copies them would hold up
 * others meanwhile.
 */
export type InsertHtml = (html: readonly Buffer[]) => string

const freshFor = 1_000
const most = 300
const longestQuery = 100
/** Cookies that a page depends on, besides its address (ui/page/preferences.ts). */
const cookies = ['application_default_language', 'theme']

/**
 * Caches pages, which are the same for all visitors with the same preferences: rendered at most once a second, and after each
 * change.
 */
export function createPageCache(events: Events, secretPaths: readonly string[] = []) {
  let all = new Map<string, { at: number; page: Promise<CachedPage> }>()
  events.onChanged(() => {
    all = new Map()
  })
  /** Placeholder of the nonce in a cached page; never sent to a client. */
  const placeholder = randomBytes(16).toString('base64url')
  const mark = randomBytes(16).toString('base64url')

  return {
    placeholder,
    /** Null where the page must be rendered for this request alone. */
    keyOf(request: FastifyRequest, path: string, origin: string) {
      const { method, url } = request
      if (method !== 'GET' && method !== 'HEAD') return null
      const [, query = ''] = url.split('?', 2)
      if (secretPaths.some((one) => path.startsWith(one))) return null
      if (path.startsWith('/admin') || path.endsWith('.data') || query.length > longestQuery) return null
      return [origin, url, ...cookies.map((name) => request.cookies[name] ?? '')].join(' ')
    },
    /** `render` gets the time that the page embeds; it is excluded from the ETag. */
    find(key: string, render: (since: number, insert: InsertHtml) => Promise<Response>): Promise<CachedPage> {
      const cached = all.get(key)
      if (cached && performance.now() - cached.at < freshFor) return cached.page
      const since = Date.now()
      const inserted: (readonly Buffer[])[] = []
      const insert = (html: readonly Buffer[]) => `${mark}${inserted.push(html) - 1};`
      const page = render(since, insert).then(async (response) => {
        const parts = splitPage(Buffer.from(await response.arrayBuffer()), { placeholder, mark, inserted })
        const known = new Set(inserted.flat())
        const pieces = parts.flat().flatMap((piece) => (known.has(piece) ? [digestOf(piece)] : split(piece, String(since))))
        const etag = etagOf(Buffer.concat(pieces))
        return { status: response.status, headers: response.headers, parts, etag }
      })
      const current = all
      // The age counts from the end of rendering, or a page that renders longer than that would never be cached.
      const entry = { at: Number.POSITIVE_INFINITY, page }
      current.delete(key)
      current.set(key, entry)
      if (current.size > most) current.delete(current.keys().next().value ?? '')
      page.then(
        ({ status }) => {
          entry.at = performance.now()
          if (status !== 200) current.delete(key)
        },
        () => current.delete(key),
      )
      return page
    },
  }
}

/** Of inserted HTML, which stays the same from one page to the next. */
const digests = new WeakMap<Buffer, Buffer>()

function digestOf(bytes: Buffer) {
  const digest = digests.get(bytes) ?? createHash('sha256').update(bytes).digest()
  digests.set(bytes, digest)
  return digest
}

type Marks = { placeholder: string; mark: string; inserted: readonly (readonly Buffer[])[] }

/** The page without its nonces, with what was inserted in its place. */
function splitPage(bytes: Buffer, { placeholder, mark, inserted }: Marks) {
  const parts: Buffer[][] = [[]]
  for (const [index, piece] of split(bytes, mark).entries()) {
    const end = index === 0 ? -1 : piece.indexOf(';')
    if (end !== -1) parts.at(-1)?.push(...(inserted[Number(piece.toString('latin1', 0, end))] ?? []))
    const [first, ...rest] = split(piece.subarray(end + 1), placeholder)
    if (first) parts.at(-1)?.push(first)
    for (const part of rest) parts.push([part])
  }
  return parts
}

/** As bytes: a long page would hold up others while it is read and written as a text. */
function split(bytes: Buffer, separator: string) {
  const parts: Buffer[] = []
  let from = 0
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, from)) {
    parts.push(bytes.subarray(from, at))
    from = at + separator.length
  }
  return [...parts, bytes.subarray(from)]
}
