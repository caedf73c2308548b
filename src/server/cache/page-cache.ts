import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Events } from '../live/events.ts'
import { etagOf } from './shared-responses.ts'

/** A rendered page in UTF-8, split where each response inserts the nonce of its own policy. */
export type CachedPage = { status: number; headers: Headers; parts: Buffer[]; etag: string }

const freshFor = 1_000
const most = 300
const longestQuery = 100
/** What a page depends on, beside its address (ui/page/preferences.ts). */
const cookies = ['application_default_language', 'theme']

/** Pages are the same for every visitor who chose the same: rendered once a second at most, and after each change. */
export function createPageCache(events: Events) {
  let all = new Map<string, { at: number; page: Promise<CachedPage> }>()
  events.onChanged(() => {
    all = new Map()
  })
  /** Stands in a kept page for the nonce; nobody outside ever sees it. */
  const placeholder = randomBytes(16).toString('base64url')

  return {
    placeholder,
    /** Null where the answer must be made for this request alone. */
    keyOf(request: FastifyRequest, path: string, origin: string) {
      const { method, url } = request
      if (method !== 'GET' && method !== 'HEAD') return null
      const [, query = ''] = url.split('?', 2)
      if (path.startsWith('/admin') || path.endsWith('.data') || query.length > longestQuery) return null
      return [origin, url, ...cookies.map((name) => request.cookies[name] ?? '')].join(' ')
    },
    /** `render` is told the moment that the page carries: it is no part of what a page shows, nor of its ETag. */
    find(key: string, render: (since: number) => Promise<Response>): Promise<CachedPage> {
      const kept = all.get(key)
      if (kept && performance.now() - kept.at < freshFor) return kept.page
      const since = Date.now()
      const page = render(since).then(async (response) => {
        const text = await response.text()
        const etag = etagOf(text.replaceAll(placeholder, '').replaceAll(String(since), ''))
        const parts = text.split(placeholder).map((part) => Buffer.from(part))
        return { status: response.status, headers: response.headers, parts, etag }
      })
      const current = all
      // Fresh while it is made, and from its end on: a page that takes longer than that would never be answered from here.
      const made = { at: Number.POSITIVE_INFINITY, page }
      current.delete(key)
      current.set(key, made)
      if (current.size > most) current.delete(current.keys().next().value ?? '')
      page.then(
        ({ status }) => {
          made.at = performance.now()
          if (status !== 200) current.delete(key)
        },
        () => current.delete(key),
      )
      return page
    },
  }
}
