import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createVisitorClient } from './visitor-client.ts'
import { createStaffClient } from './staff-client.ts'
import type { Io, Link } from './connection.ts'
import { createHooks, createStorage, FakeServer, key, pageSize, refuse, sent, settle, sides } from './fake-server.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe.each(sides)('the client of $name', ({ create }) => {
  async function start(prepare?: (server: FakeServer) => void) {
    const server = new FakeServer()
    prepare?.(server)
    const page = create(server)
    await page.start()
    return { server, page }
  }

  test('sends one text at a time, in the order of writing, and shows each once', async () => {
    const { server, page } = await start()
    for (const text of ['a', 'b', 'c']) page.send(text)
    expect(page.unsent()).toEqual(['a sending', 'b waiting', 'c waiting'])
    await settle()
    expect([sent(server), page.texts(), page.unsent()]).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], []])
  })

  test.each(['lose the request', 'lose the answer'] as const)(
    '%s: nothing overtakes the text, which leaves again by itself',
    async (fault) => {
      const { server, page } = await start()
      server.faults.push(['send', fault])
      page.send('a')
      page.send('b')
      await settle(8_000)
      expect(page.unsent()).toEqual(['a failed', 'b waiting'])
      await settle(4_100)
      expect([sent(server), page.texts(), page.unsent()]).toEqual([['a', 'b'], ['a', 'b'], []])
    },
  )

  test('does not wait for the next try where a person asks for it', async () => {
    const { server, page } = await start()
    server.faults.push(['send', 'lose the request'])
    page.send('a')
    await settle(8_000)
    page.retry()
    await settle()
    expect([sent(server), page.unsent()]).toEqual([['a'], []])
  })

  test('shows what comes repeatedly and in any order once, in the order of its number', async () => {
    const { server, page } = await start()
    const [one, two, three] = ['1', '2', '3'].map((text) => server.write(text))
    server.push(three, one, one, two, three, two)
    await settle()
    expect(page.texts()).toEqual(['1', '2', '3'])
  })

  test('reads what a lost event left out', async () => {
    const { server, page } = await start((one) => one.write('1'))
    server.write('2')
    server.push(server.write('3'))
    expect(page.texts()).toEqual(['1', '3'])
    await settle()
    expect(page.texts()).toEqual(['1', '2', '3'])
  })

  test('keeps what is written while the connection is down, and sends it once it is back', async () => {
    const { server, page } = await start()
    server.isDown = true
    server.drop()
    page.send('a')
    page.send('b')
    expect(page.unsent()).toEqual(['a waiting', 'b waiting'])
    server.write('meanwhile')
    server.isDown = false
    await settle(3_000)
    expect(page.texts()).toEqual(['meanwhile', 'a', 'b'])
    expect([page.recorded.links.at(-1), page.unsent()]).toEqual(['up', []])
  })

  test('a connection that drops while a text is on its way costs no text and repeats none', async () => {
    const { server, page } = await start()
    page.send('a')
    server.drop()
    await settle(3_000)
    expect([sent(server), page.texts(), page.unsent()]).toEqual([['a'], ['a'], []])
  })

  test('reconnects after the server ended the connection', async () => {
    const { server, page } = await start()
    server.drop('io server disconnect')
    await settle(6_000)
    page.send('a')
    await settle()
    expect(sent(server)).toEqual(['a'])
  })

  test('what a reload interrupted leaves from the next page, and from nobody else’s', async () => {
    const server = new FakeServer()
    const storage = createStorage()
    const before = create(server, storage)
    await before.start()
    server.isDown = true
    server.drop()
    before.send('a')
    before.send('b')
    before.stop()
    const [visitor, technician] = sides
    const others = [
      visitor?.create(server, storage),
      technician?.create(server, storage, 7),
      technician?.create(server, storage, 8),
    ]
    const found = await Promise.all(others.map(async (one) => (await one?.findStored())?.length))
    expect(found.filter((count) => count === 2)).toHaveLength(1)
    server.isDown = false
    const after = create(server, storage)
    await after.start()
    expect([sent(server), after.texts(), after.unsent(), storage.all.size]).toEqual([['a', 'b'], ['a', 'b'], [], 0])
  })

  test('a limit keeps the text and sends it when the time is over', async () => {
    const { server, page } = await start()
    server.faults.push(['send', refuse('limited', { retry_after: 7 })])
    page.send('a')
    page.send('b')
    await settle()
    expect(page.unsent()).toEqual(['a failed', 'b waiting'])
    expect(page.recorded.refusals.map(({ code, wait }) => [code, wait])).toEqual([['limited', 7]])
    await settle(7_000)
    expect(sent(server)).toEqual(['a', 'b'])
  })

  test('an invalid text stays, and the others do not wait for it', async () => {
    const { server, page } = await start()
    server.faults.push(['send', refuse('invalid')])
    page.send('a')
    page.send('b')
    await settle()
    expect([sent(server), page.unsent()]).toEqual([['b'], ['a failed']])
  })

  test('a closed conversation takes nothing, and its texts can be taken back', async () => {
    const { server, page } = await start()
    server.faults.push(['send', refuse('closed')])
    page.send('a')
    page.send('b')
    await settle(20_000)
    expect([sent(server), page.unsent()]).toEqual([[], ['a failed', 'b waiting']])
    expect(page.takeBack()).toEqual(['a', 'b'])
    expect(page.unsent()).toEqual([])
  })

  test('opening is tried again, but not where the server does not know the conversation', async () => {
    const { server, page } = await start((one) => one.faults.push(['o', refuse('limited', { retry_after: 9 })]))
    expect([page.recorded.openErrors, page.recorded.opened]).toEqual([['limited'], 0])
    await settle(9_000)
    expect(page.recorded.opened).toBe(1)

    const unknown = await start((one) => one.faults.push(['o', refuse('unknown_chat')]))
    await settle(60_000)
    expect([unknown.page.recorded.openErrors, unknown.server.requests.length]).toEqual([['unknown_chat'], 1])
    expect(server.requests).toHaveLength(2)
  })

  test('shows the newest page, and older ones as they are requested', async () => {
    const { page } = await start((one) => '12345678'.split('').forEach((text) => one.write(text)))
    expect(page.texts().join('')).toBe('678')
    await Promise.all([page.loadOlder(), page.loadOlder(), settle()])
    expect(page.texts().join('')).toBe('345678')
    await Promise.all([page.loadOlder(), settle()])
    expect([page.texts().join(''), page.shown().hasOlder]).toEqual(['12345678', false])
  })

  test('reports a failed read of older messages, and retries at the next request', async () => {
    const { server, page } = await start((one) => '1234'.split('').forEach((text) => one.write(text)))
    server.faults.push(['o', refuse('broken')])
    await Promise.all([page.loadOlder(), settle()])
    expect(page.shown().older).toBe('failed')
    await Promise.all([page.loadOlder(), settle()])
    expect([page.texts().join(''), page.shown().older]).toEqual(['1234', 'idle'])
  })

  test('after a long absence nothing is missing between the messages that are shown', async () => {
    const { server, page } = await start((one) => one.write('1'))
    server.isDown = true
    server.drop()
    for (const text of '23456789') server.write(text)
    server.isDown = false
    await settle(3_000)
    expect('123456789'.endsWith(page.texts().join(''))).toBe(true)
    expect(page.texts().length).toBeGreaterThanOrEqual(pageSize)
  })

  test('sends a read receipt once, and again after a lost connection', async () => {
    const { server, page } = await start()
    const reads = () => server.requests.filter(([event]) => event.endsWith('read')).map(([, input]) => input.seq)
    for (const seq of [1, 2, 2, 1]) page.markRead(seq)
    expect(reads()).toEqual([1, 2])
    server.drop()
    await settle(3_000)
    page.markRead(2)
    expect(reads()).toEqual([1, 2, 2])
  })

  test('sends a typing event at most every two seconds', async () => {
    const { server, page } = await start()
    const typings = () => server.requests.filter(([event]) => event.endsWith('typing')).length
    page.typing()
    page.typing()
    expect(typings()).toBe(1)
    await settle(2_000)
    page.typing()
    expect(typings()).toBe(2)
  })

  describe('against a server that lies', () => {
    test('an acknowledgement without the message keeps the text', async () => {
      const { server, page } = await start()
      for (const answer of [{ ok: true }, { ok: true, message: { seq: 'one' } }, {}, 'yes']) {
        server.faults.push(['send', { answer }])
      }
      page.send('a')
      for (let time = 0; time < 4; time += 1) {
        await settle()
        expect(page.unsent()).toEqual(['a failed'])
        page.retry()
      }
      await settle()
      expect([sent(server), page.texts(), page.unsent()]).toEqual([['a'], ['a'], []])
    })

    test('events that are no messages, or of another conversation, change nothing', async () => {
      const { server, page } = await start((one) => one.write('1'))
      const other = { ...server.write('2'), id_chat: 'x'.repeat(32), id: 2 }
      server.push(null, undefined, 'text', {}, { id_message: 1.5, seq: 2 }, other)
      await settle()
      expect(page.texts()).toEqual(['1'])
    })

    test('requests a message with an unknown number once, not forever', async () => {
      const { server, page } = await start((one) => one.write('1'))
      const before = server.requests.length
      server.push({ ...server.messages[0], id_message: 999, seq: 50 })
      await settle(60_000)
      expect(server.requests.length - before).toBe(1)
      expect(page.texts()).toHaveLength(2)
    })

    test('pages without end come to an end', async () => {
      const { server, page } = await start((one) => '1234'.split('').forEach((text) => one.write(text)))
      const endless = { ok: true, messages: server.messages.slice(1), has_older: true, more: true }
      for (let time = 0; time < 50; time += 1) server.faults.push(['o', { answer: endless }])
      const before = server.requests.length
      await Promise.all([page.loadOlder(), settle()])
      server.drop()
      await settle(3_000)
      expect(server.requests.length - before).toBeLessThan(5)
      expect(page.shown().hasOlder).toBe(false)
    })

    test('an acknowledgement that names another message settles the one that was sent', async () => {
      const { server, page } = await start()
      server.faults.push(['send', { answer: { ok: true, message: { ...server.write('other'), client_message_id: 'x' } } }])
      page.send('a')
      await settle()
      expect(page.unsent()).toEqual([])
    })
  })

  test.each([1, 2, 3, 4, 5])('whatever happens on the way, each text arrives once and in order (%i)', async (seed) => {
    let state = seed * 7_919
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    const { server, page } = await start()
    const written: string[] = []
    for (let step = 0; step < 60; step += 1) {
      const text = `text ${step}`
      const act = random(9)
      if (act < 4) {
        written.push(text)
        page.send(text)
      }
      if (act === 4) server.drop(random(2) ? 'transport close' : 'io server disconnect')
      if (act === 5) server.faults.push(['send', random(2) ? 'lose the request' : 'lose the answer'])
      if (act === 6) server.faults.push(['send', refuse('limited', { retry_after: 1 })])
      if (act === 7) server.write(`by the server ${step}`)
      if (act === 8) server.push(...server.messages.slice(-random(4)).toReversed(), server.messages[0])
      await settle(random(3_000))
    }
    await settle(600_000)
    expect(sent(server).filter((text) => text.startsWith('text'))).toEqual(written)
    server.push(server.messages.at(-1))
    await settle()
    const shown = page.texts()
    expect(sent(server).slice(-shown.length)).toEqual(shown)
    expect([page.unsent(), new Set(shown).size]).toEqual([[], shown.length])
  })
})

describe('the connection', () => {
  test('reports why the server refuses the handshake', async () => {
    const server = new FakeServer()
    server.isDown = true
    const refusals: (string | null)[] = []
    const { hooks } = createHooks()
    const onLink = (_link: Link, refusal: string | null) => void refusals.push(refusal)
    const client = createStaffClient(7, { loadIo: () => server.io, hooks: { ...hooks, onLink }, storage: createStorage() })
    client.start()
    await settle()
    server.sockets[0]?.fire('connect_error', new Error('not_connected'))
    expect(refusals).toEqual(['not_connected'])
  })

  test('tries long polling and WebSocket in turn, and reports when both fail', async () => {
    const server = new FakeServer()
    server.isDown = true
    const { hooks } = createHooks()
    const onUnreachable = vi.fn<() => void>()
    const client = createVisitorClient({ loadIo: () => server.io, hooks: { ...hooks, onUnreachable }, storage: createStorage() })
    client.start()
    await settle()
    const manager = server.sockets[0]?.io
    const fail = manager?.on.mock.calls.find(([event]) => event === 'error')?.[1] as () => void
    fail()
    expect([manager?.opts.transports, onUnreachable.mock.calls.length]).toEqual([['polling', 'websocket'], 0])
    fail()
    expect([manager?.opts.transports, onUnreachable.mock.calls.length]).toEqual([['websocket'], 1])
  })

  test('loads the library again where that failed', async () => {
    const server = new FakeServer()
    const { recorded, hooks } = createHooks()
    const loadIo = vi.fn<() => Promise<Io>>().mockRejectedValueOnce(new Error('no network')).mockResolvedValue(server.io)
    createStaffClient(7, { loadIo, hooks, storage: createStorage() }).start()
    await settle(6_000)
    expect(recorded.links).toEqual(['lost', 'up'])
  })
})

test.each([
  ['a day ahead', 2 * 86_400_000],
  ['a day back', -86_400_000],
])('a clock that was set %s drops no unsent text of a visitor and changes no order', async (_how, jump) => {
  const [visitor] = sides
  const [server, storage] = [new FakeServer(), createStorage()]
  server.isDown = true
  const before = visitor?.create(server, storage)
  await before?.start()
  before?.send('a')
  before?.send('b')
  before?.stop()
  vi.setSystemTime(Date.now() + jump)
  const next = visitor?.create(server, storage)
  await next?.start()
  next?.send('c')
  next?.stop()
  server.isDown = false
  const after = visitor?.create(server, storage)
  expect(await after?.findStored()).toEqual([key, key, key])
  await after?.start()
  expect([sent(server), storage.all.size]).toEqual([['a', 'b', 'c'], 0])
})
