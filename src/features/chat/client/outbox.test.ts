import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStaffClient } from './staff-client.ts'
import { createHooks, createStorage, FakeServer, refuse, sent, settle, sides } from './fake-server.ts'
import type { SharingTabs } from './outbox.ts'
import { createOutbox } from './outbox.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a technician is asked before a text of yesterday leaves, and nothing overtakes it', async () => {
  const [server, storage] = [new FakeServer(), createStorage()]
  const { hooks } = createHooks()
  server.isDown = true
  const before = createStaffClient(7, { loadIo: () => server.io, hooks, storage })
  before.send(1, 'a', { internal: true })
  await settle()
  before.stop()
  vi.setSystemTime(Date.now() + 86_400_001)
  server.isDown = false
  const client = createStaffClient(7, { loadIo: () => server.io, hooks, storage })
  client.start()
  await settle()
  void client.open(1)
  await settle()
  client.send(1, 'b')
  await settle()
  const unsent = () => client.conversation(1).unsent
  expect([sent(server), unsent().map((one) => `${one.message} ${one.state}`)]).toEqual([[], ['a held', 'b waiting']])
  const [held] = unsent()
  if (held) client.confirm(1, held)
  await settle()
  expect([sent(server), unsent(), storage.all.size]).toEqual([['a', 'b'], [], 0])
})

test('a stored text of a technician is dropped after seven days', async () => {
  const [, technician] = sides
  const [server, storage] = [new FakeServer(), createStorage()]
  server.isDown = true
  technician?.create(server, storage).send('a')
  await settle()
  vi.setSystemTime(Date.now() + 7 * 86_400_000 + 1)
  expect(await technician?.create(server, storage).findStored()).toEqual([])
  expect(storage.all.size).toBe(0)
})

test('two tabs of one technician share what is unsent, and send each text once in the order of writing', async () => {
  const [server, storage, browser] = [new FakeServer(), createStorage(), createBrowser()]
  const { hooks } = createHooks()
  server.isDown = true
  const [one, other] = [1, 2].map(() => createStaffClient(7, { loadIo: () => server.io, hooks, storage, tabs: browser() }))
  if (!one || !other) throw new Error('two tabs')
  for (const tab of [one, other]) {
    tab.start()
    void tab.open(1)
  }
  await settle()
  for (const [tab, text] of [
    [one, 'a'],
    [other, 'b'],
    [one, 'c'],
  ] as const) {
    tab.send(1, text)
    await settle()
  }
  const texts = (tab: typeof one) => tab.conversation(1).unsent.map((unsent) => unsent.message)
  expect([texts(one), texts(other)]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  server.isDown = false
  await settle(10_000)
  expect([sent(server), texts(one), texts(other), storage.all.size]).toEqual([['a', 'b', 'c'], [], [], 0])
  expect(server.requests.filter(([event]) => event === 'staff:send-message')).toHaveLength(3)
})

test('what one tab wrote and could not send leaves from another that never opened the conversation', async () => {
  const [server, storage, browser] = [new FakeServer(), createStorage(), createBrowser()]
  const { hooks } = createHooks()
  server.isDown = true
  const [one, other] = [1, 2].map(() => createStaffClient(7, { loadIo: () => server.io, hooks, storage, tabs: browser() }))
  if (!one || !other) throw new Error('two tabs')
  for (const tab of [one, other]) tab.start()
  void one.open(1)
  one.send(1, 'a')
  await settle()
  one.stop()
  server.isDown = false
  await settle(10_000)
  expect([sent(server), storage.all.size]).toEqual([['a'], 0])
})

test('two tabs send a text that the server refuses once each', async () => {
  const [server, storage, browser] = [new FakeServer(), createStorage(), createBrowser()]
  const { hooks } = createHooks()
  const [one, other] = [1, 2].map(() => createStaffClient(7, { loadIo: () => server.io, hooks, storage, tabs: browser() }))
  if (!one || !other) throw new Error('two tabs')
  for (const tab of [one, other]) {
    tab.start()
    void tab.open(1)
  }
  await settle()
  for (let times = 0; times < 50; times += 1) server.faults.push(['send-message', refuse('invalid')])
  one.send(1, 'a')
  await settle(10_000)
  expect(server.requests.filter(([event]) => event === 'staff:send-message').length).toBeLessThanOrEqual(2)
  expect(one.conversation(1).unsent.map((unsent) => unsent.state)).toEqual(['failed'])
})

test('a text that is written while the lock of the one before is released leaves too', async () => {
  const [server, storage] = [new FakeServer(), createStorage()]
  const { hooks } = createHooks()
  const tabs = slowRelease(() => sent(server).length === 1 && client.send(1, 'b'))
  const client = createStaffClient(7, { loadIo: () => server.io, hooks, storage, tabs })
  client.start()
  await settle()
  client.send(1, 'a')
  await settle(1_000)
  expect([sent(server), storage.all.size]).toEqual([['a', 'b'], 0])
})

test('a text leaves where the connection returns while the lock of its last attempt is released', async () => {
  const [server, storage] = [new FakeServer(), createStorage()]
  const { hooks } = createHooks()
  const tabs = slowRelease(() => server.sockets[0]?.connect())
  const client = createStaffClient(7, { loadIo: () => server.io, hooks, storage, tabs })
  client.start()
  await settle()
  server.drop('io client disconnect')
  client.send(1, 'a')
  await settle(60_000)
  expect([sent(server), storage.all.size]).toEqual([['a'], 0])
})

/** The one tab of a browser whose lock is released a while after the work. */
function slowRelease(meanwhile: () => unknown): SharingTabs {
  return {
    async exclusively(_name, work) {
      await work()
      meanwhile()
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
    publish: () => undefined,
    subscribe: () => undefined,
  }
}

test('after an error of the server a text leaves by itself', async () => {
  const [server, storage] = [new FakeServer(), createStorage()]
  const client = createStaffClient(7, { loadIo: () => server.io, hooks: createHooks().hooks, storage })
  client.start()
  await settle()
  server.faults.push(['send-message', refuse('broken')])
  client.send(1, 'a')
  await settle(30_000)
  expect([sent(server), storage.all.size]).toEqual([['a'], 0])
})

test('a text that another tab sent is not stored again', async () => {
  const storage = createStorage()
  const stamp = { written_at: new Date().toISOString(), state: 'sending' as const }
  const before = createOutbox('staff/7/', { storage })
  for (const message of ['a', 'b']) before.add(1, { ...stamp, client_message_id: message, message })
  await settle()
  const outbox = createOutbox('staff/7/', { storage })
  await outbox.restore(1)
  storage.all.clear()
  outbox.setState(1, 'a', 'waiting')
  outbox.setState(1, 'b', 'waiting')
  await settle()
  expect([...storage.all]).toEqual([])
})

/** Tabs that share locks and a channel. */
function createBrowser() {
  const listeners: ((name: string) => void)[] = []
  let last: Promise<unknown> = Promise.resolve()
  return (): SharingTabs => {
    let own: (name: string) => void = () => undefined
    return {
      exclusively(_name, work) {
        const done = last.then(work)
        last = done.catch(() => undefined)
        return done
      },
      publish: (name) => setTimeout(() => listeners.filter((one) => one !== own).forEach((listener) => listener(name))),
      subscribe(listener) {
        own = listener
        listeners.push(listener)
      },
    }
  }
}

test('a refused session is tried again: another tab may have signed in since', async () => {
  const server = new FakeServer()
  server.refusal = 'not_connected'
  const links: string[] = []
  const { hooks } = createHooks()
  const onLink = (link: string, refusal: string | null) => void links.push(`${link} ${refusal}`)
  const client = createStaffClient(7, { loadIo: () => server.io, hooks: { ...hooks, onLink }, storage: createStorage() })
  client.start()
  await settle()
  expect([links, client.isUp()]).toEqual([['lost not_connected'], false])
  server.refusal = null
  await settle(6_000)
  expect([links.at(-1), client.isUp()]).toEqual(['up null', true])
})
