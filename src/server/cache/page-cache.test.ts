import type { FastifyRequest } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createEvents } from '../live/events.ts'
import { timeAsyncGrowth } from '#src/lib/testing/time-growth.ts'
import { createPageCache } from './page-cache.ts'

const requested = (request: Partial<FastifyRequest>) => ({ method: 'GET', url: '/', cookies: {}, ...request }) as FastifyRequest
const origin = 'https://example.com'
const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''

afterEach(() => {
  vi.useRealTimers()
})

describe('a rendered page', () => {
  test('is rendered once for concurrent visitors, split at its nonce', async () => {
    const cache = createPageCache(createEvents())
    const render = vi.fn(async () => new Response(`<script nonce="${cache.placeholder}">1</script>`))
    const pages = await Promise.all([1, 2].map(() => cache.find('a', render)))
    expect(render).toHaveBeenCalledOnce()
    expect(pages[1]?.parts.flat().map(String)).toEqual(['<script nonce="', '">1</script>'])
  })

  test('has the same ETag until its content changes, whatever its nonce and time', async () => {
    const events = createEvents()
    const cache = createPageCache(events)
    const etagOf = async (text: string) => {
      events.changed('home')
      const render = async (since: number) => new Response(`<p nonce="${cache.placeholder}">${text} ${since}</p>`)
      return (await cache.find('a', render)).etag
    }
    const first = await etagOf('one')
    expect(await etagOf('one')).toBe(first)
    expect(await etagOf('two')).not.toBe(first)
  })

  test('has inserted HTML in its place, as it was given, and another ETag where that changes', async () => {
    const cache = createPageCache(createEvents())
    const find = async (...html: string[]) => {
      const { parts, etag } = await cache.find(html.join(' '), async (_since, insert) => {
        const [first, second] = html.map((one) => insert([Buffer.from(one), Buffer.from('é;')]))
        return new Response(`<p nonce="${cache.placeholder}">à ${first}0;${second}</p><p nonce="${cache.placeholder}">${first}`)
      })
      return { text: parts.map((part) => Buffer.concat(part).toString()).join('NONCE'), etag, parts }
    }
    const { text, etag, parts } = await find('<b>1</b>', cache.placeholder)
    expect(text).toBe(`<p nonce="NONCE">à <b>1</b>é;0;${cache.placeholder}é;</p><p nonce="NONCE"><b>1</b>é;`)
    expect(parts).toHaveLength(3)
    expect((await find('<b>2</b>', cache.placeholder)).etag).not.toBe(etag)
  })

  test('is rendered again after any change', async () => {
    const events = createEvents()
    const cache = createPageCache(events)
    const render = vi.fn(async () => new Response('page'))
    await cache.find('a', render)
    events.changed('networks')
    await cache.find('a', render)
    expect(render).toHaveBeenCalledTimes(2)
  })

  test('is cached from the end of its rendering', async () => {
    vi.useFakeTimers()
    const cache = createPageCache(createEvents())
    const render = vi.fn(async () => {
      await vi.advanceTimersByTimeAsync(5_000)
      return new Response('page')
    })
    await cache.find('a', render)
    await cache.find('a', render)
    expect(render).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1_001)
    await cache.find('a', render)
    expect(render).toHaveBeenCalledTimes(2)
  })

  test('of 10 MB takes about ten times as long as one of 1 MB', async () => {
    const cache = createPageCache(createEvents())
    let number = 0
    const find = (size: number) =>
      cache.find(String((number += 1)), async (since) => {
        const row = `<p nonce="${cache.placeholder}">Réseau ${since}</p>`
        return new Response(row.repeat(size / row.length))
      })
    expect(await timeAsyncGrowth(find, 1_000_000)).toBeLessThan(50)
  }, 60_000)

  test('is not cached when it is an error', async () => {
    const cache = createPageCache(createEvents())
    await cache.find('a', async () => new Response('no', { status: 404 }))
    await expect(cache.find('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    const { status } = await cache.find('a', async () => new Response('yes'))
    expect(status).toBe(200)
  })

  test('is cached by language, theme, address and query', () => {
    const { keyOf } = createPageCache(createEvents())
    const keys = [
      requested({}),
      requested({ cookies: { application_default_language: 'en' } }),
      requested({ cookies: { theme: 'dark' } }),
      requested({ url: '/reseau' }),
      requested({ url: '/?lang=en' }),
    ].map((request) => keyOf(request, pathOf(request), origin))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keyOf(requested({ cookies: { guichet_session: 'x' } }), '/', origin)).toBe(keys[0])
  })

  test.each([{ method: 'POST' }, { url: '/admin/panel' }, { url: '/team.data' }, { url: `/?${'x'.repeat(200)}` }])(
    'is not cached for %o',
    (request) => expect(createPageCache(createEvents()).keyOf(requested(request), pathOf(requested(request)), origin)).toBeNull(),
  )
})
