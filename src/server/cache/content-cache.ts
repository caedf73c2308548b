import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Events } from '../live/events.ts'
import { Problem } from '../problems.ts'

type CachedValue = { area: string; at: number; value?: { is: unknown }; loading?: Promise<unknown> }

/** Expires after a second: another instance may have changed the content, or midnight may have passed. */
const freshFor = 1_000
const most = 500

/**
 * Caches public content in memory until its area changes. Concurrent readers share one query, and the last value is served
 * stale while the database is down.
 */
export function createContentCache(events: Events, log: Pick<FastifyBaseLogger, 'warn'>) {
  const all = new Map<string, CachedValue>()
  const names = new WeakMap<object, string>()
  const isFresh = (cached: CachedValue) => cached.value !== undefined && cached.at > 0 && performance.now() - cached.at < freshFor
  events.onChanged((area) => {
    for (const [key, cached] of all) if (cached.area === area) all.set(key, { area, at: 0, value: cached.value })
  })

  async function load<T>(key: string, cached: CachedValue, find: () => Promise<T>): Promise<T> {
    try {
      const value = await find()
      Object.assign(cached, { value: { is: value }, at: performance.now(), loading: undefined })
      if (typeof value === 'object' && value !== null) names.set(value, key)
      return value
    } catch (error) {
      cached.loading = undefined
      // A deleted entry is no failure: its cached copy must not be served.
      if (!cached.value || error instanceof Problem) {
        all.delete(key)
        throw error
      }
      log.warn({ err: error, key }, 'answered as it was read before')
      return cached.value.is as T
    }
  }

  return {
    /** True while this value is the cached one and has not expired. */
    isCurrent(value: object) {
      const cached = all.get(names.get(value) ?? '')
      return cached?.value?.is === value && isFresh(cached)
    },
    /** `key` identifies one content of an area; callers must not change the value. */
    read<T>(area: string, key: string, find: () => Promise<T>): Promise<T> {
      const name = `${area} ${key}`
      const cached = all.get(name) ?? { area, at: 0 }
      // Least recently used keys are evicted: requests for arbitrary addresses must not fill the memory.
      all.delete(name)
      all.set(name, cached)
      if (all.size > most) all.delete(all.keys().next().value ?? '')
      if (cached.value && isFresh(cached)) return Promise.resolve(cached.value.is as T)
      cached.loading ??= load(name, cached, find)
      return cached.loading as Promise<T>
    },
  }
}

export type ContentCache = ReturnType<typeof createContentCache>

/** Dependencies of a service that reads public content. */
export type Reader = { content: ContentCache; db: Database }
