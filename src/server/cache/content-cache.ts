import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Events } from '../live/events.ts'
import { Problem } from '../problems.ts'

type Kept = { area: string; at: number; value?: { is: unknown }; loading?: Promise<unknown> }

/** After a second the database is asked again: another instance may have changed the content, or midnight may have passed. */
const freshFor = 1_000
const most = 500

/**
 * What visitors read, kept in memory until its area changes. Many who ask at once are answered by one query, and what
 * was read last is answered while the database does not answer.
 */
export function createContentCache(events: Events, log: Pick<FastifyBaseLogger, 'warn'>) {
  const all = new Map<string, Kept>()
  const names = new WeakMap<object, string>()
  const isFresh = (kept: Kept) => kept.value !== undefined && kept.at > 0 && performance.now() - kept.at < freshFor
  events.onChanged((area) => {
    for (const [key, kept] of all) if (kept.area === area) all.set(key, { area, at: 0, value: kept.value })
  })

  async function load<T>(key: string, kept: Kept, find: () => Promise<T>): Promise<T> {
    try {
      const value = await find()
      Object.assign(kept, { value: { is: value }, at: performance.now(), loading: undefined })
      if (typeof value === 'object' && value !== null) names.set(value, key)
      return value
    } catch (error) {
      kept.loading = undefined
      // A missing entry is no failure: its cached copy must not be answered.
      if (!kept.value || error instanceof Problem) {
        all.delete(key)
        throw error
      }
      log.warn({ err: error, key }, 'answered as it was read before')
      return kept.value.is as T
    }
  }

  return {
    /** Whether what was read is what would be answered now. */
    isCurrent(value: object) {
      const kept = all.get(names.get(value) ?? '')
      return kept?.value?.is === value && isFresh(kept)
    },
    /** `key` names one content of an area; callers must not change what `find` answers. */
    read<T>(area: string, key: string, find: () => Promise<T>): Promise<T> {
      const name = `${area} ${key}`
      const kept = all.get(name) ?? { area, at: 0 }
      // The last asked are kept: an address that asks for all sorts of things must not fill the memory.
      all.delete(name)
      all.set(name, kept)
      if (all.size > most) all.delete(all.keys().next().value ?? '')
      if (kept.value && isFresh(kept)) return Promise.resolve(kept.value.is as T)
      kept.loading ??= load(name, kept, find)
      return kept.loading as Promise<T>
    },
  }
}

export type ContentCache = ReturnType<typeof createContentCache>

/** What a service needs to read for a visitor. */
export type Reader = { content: ContentCache; db: Database }
