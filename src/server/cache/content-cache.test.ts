import { describe, expect, test, vi } from 'vitest'
import { createContentCache } from './content-cache.ts'
import { createEvents } from '../live/events.ts'
import { NotFound } from '../problems.ts'

function setUp() {
  const events = createEvents()
  const log = { warn: vi.fn() }
  return { events, log, cache: createContentCache(events, log) }
}

describe('public content', () => {
  test('is queried once for concurrent readers, and not again within a second', async () => {
    const { cache } = setUp()
    const find = vi.fn(async () => ['one'])
    const responses = await Promise.all([1, 2, 3].map(() => cache.read('jobs', 'open', find)))
    await cache.read('jobs', 'open', find)
    expect(responses).toEqual([['one'], ['one'], ['one']])
    expect(find).toHaveBeenCalledOnce()
  })

  test('is queried again only after its area changed', async () => {
    const { cache, events } = setUp()
    const find = vi.fn().mockResolvedValueOnce('before').mockResolvedValueOnce('after')
    await cache.read('jobs', 'open', find)
    events.changed('notes')
    expect(await cache.read('jobs', 'open', find)).toBe('before')
    events.changed('jobs')
    expect(await cache.read('jobs', 'open', find)).toBe('after')
  })

  test('is not stored when its area changed during the query', async () => {
    const { cache, events } = setUp()
    const slow = Promise.withResolvers<string>()
    const first = cache.read('jobs', 'open', () => slow.promise)
    events.changed('jobs')
    const second = cache.read('jobs', 'open', async () => 'after')
    slow.resolve('before')
    expect(await first).toBe('before')
    expect(await second).toBe('after')
    expect(await cache.read('jobs', 'open', async () => 'never')).toBe('after')
  })

  test('is served stale while the database is down, and the failure is logged', async () => {
    const { cache, events, log } = setUp()
    await cache.read('jobs', 'open', async () => 'before')
    events.changed('jobs')
    const broken = vi.fn().mockRejectedValue(new Error('no connection'))
    expect(await cache.read('jobs', 'open', broken)).toBe('before')
    expect(log.warn).toHaveBeenCalledOnce()
    expect(await cache.read('jobs', 'open', async () => 'after')).toBe('after')
  })

  test('is not served stale after its deletion', async () => {
    const { cache, events } = setUp()
    await cache.read('jobs', 'one 1', async () => 'before')
    events.changed('jobs')
    await expect(cache.read('jobs', 'one 1', () => Promise.reject(new NotFound('gone')))).rejects.toThrow('gone')
  })

  test('fails while the database is down if it was never read', async () => {
    const { cache } = setUp()
    await expect(cache.read('jobs', 'open', () => Promise.reject(new Error('no connection')))).rejects.toThrow('no connection')
  })
})
