import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tabStorage } from '#src/ui/storage.ts'
import { createStorage, FakeServer, key, refuse, settle } from '../client/fake-server.ts'
import { chatIdStorageKey, resumeStorageKey } from '../keys.ts'
import { createVisitorSession } from './visitor-session.ts'
import { readStored, storeSession } from './visitor-storage.ts'

class ChatServer extends FakeServer {
  technicians = 1
  isClosed = false

  override page(input: Record<string, unknown>) {
    const facts = { id_chat: key, user_count: this.technicians, closed: this.isClosed, staff_read_seq: 0, can_attach: false }
    return { ...super.page(input), ...facts }
  }
}

let server: ChatServer
let storage: ReturnType<typeof createStorage>
let session: ReturnType<typeof createVisitorSession> | null

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
  vi.stubGlobal('BroadcastChannel', undefined)
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('location', new URL('https://example.com/'))
  const availability = JSON.stringify({ user_count: 0, state: 'closed' })
  vi.stubGlobal('fetch', async () => new Response(availability, { headers: { 'content-type': 'application/json' } }))
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  server = new ChatServer()
  storage = createStorage()
  session = null
})
afterEach(() => {
  session?.stop()
  for (const name of [chatIdStorageKey, resumeStorageKey, 'chat_kept']) tabStorage.write(name, null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Opens the page, or loads it again: what the tab and the browser store outlives it. */
async function load(wait = 300) {
  session?.stop()
  session = createVisitorSession({ loadIo: () => server.io, storage })
  session.start()
  await settle(wait)
  return session
}

const stored = () => [tabStorage.read(chatIdStorageKey), tabStorage.read(resumeStorageKey)]
const hasKey = () => stored().includes(key)

async function converse() {
  tabStorage.write(chatIdStorageKey, key)
  server.write('Bonjour')
  const opened = await load()
  expect(opened.read().phase).toBe('open')
  return opened
}

describe('a conversation survives a reload', () => {
  test.each(['limited', 'broken', 'forbidden', 'not_connected', 'invalid', 'no_users'])(
    'while the server refuses the join: %s',
    async (code) => {
      await converse()
      for (let reload = 0; reload < 3; reload += 1) {
        server.faults.push(['join', refuse(code)])
        await load(1_000)
        expect(hasKey()).toBe(true)
      }
      await settle(20_000)
      expect(session?.read().phase).toBe('open')
      expect(stored()).toEqual([key, null])
    },
  )

  test('while no answer to the join comes', async () => {
    await converse()
    for (let reload = 0; reload < 3; reload += 1) {
      server.faults.push(['join', 'lose the answer'])
      await load(9_000)
      expect(hasKey()).toBe(true)
    }
    await settle(20_000)
    expect(session?.read().phase).toBe('open')
  })

  test('while the server is away', async () => {
    await converse()
    server.isDown = true
    await load(30_000)
    expect([session?.read().phase, hasKey()]).toEqual(['broken', true])
    server.isDown = false
    await settle(20_000)
    expect(session?.read().phase).toBe('open')
  })

  test('while no technician is connected: it is stored under another key, and resumes by itself', async () => {
    await converse()
    server.technicians = 0
    await load()
    expect([session?.read().phase, ...stored()]).toEqual(['nobody', null, key])
    await load()
    expect([session?.read().phase, ...stored()]).toEqual(['nobody', null, key])
    server.faults.push(['join', refuse('limited', { retry_after: 5 })], ['join', 'lose the answer'])
    await settle(60_000)
    server.technicians = 1
    await settle(20_000)
    expect([session?.read().phase, ...stored()]).toEqual(['open', key, null])
  })
})

test.each(['the event', 'a reconnection'])('a closed conversation continues when a technician reopens it, by %s', async (way) => {
  const opened = await converse()
  server.isClosed = true
  for (const socket of server.sockets) socket.fire('chat:closed', { id_chat: key })
  expect(opened.read().phase).toBe('ended')
  server.isClosed = false
  server.write('Encore un mot')
  if (way === 'the event') for (const socket of server.sockets) socket.fire('chat:reopened', { id_chat: key })
  else server.drop()
  await settle(6_000)
  expect(opened.read().phase).toBe('open')
  expect(opened.client.conversation(key).messages.map((one) => one.message)).toEqual(['Bonjour', 'Encore un mot'])
  opened.forget()
  expect(stored()).toEqual([null, null])
})

test('a stored value that cannot be a key is not joined', async () => {
  tabStorage.write(chatIdStorageKey, 'undefined')
  await load()
  expect(server.requests).toEqual([])
  expect(session?.read().phase).toBe('closed')
})

describe('unsent text', () => {
  test('becomes the draft of the next conversation where the server does not know this one', async () => {
    const opened = await converse()
    server.isDown = true
    server.drop()
    opened.client.send(key, 'Mon serveur fume')
    server.isDown = false
    server.faults.push(['join', refuse('unknown_chat')])
    await load(1_000)
    expect([hasKey(), readStored().draft]).toEqual([false, 'Mon serveur fume'])
  })

  test('of a closed conversation survives reloads and the question about the transcript', async () => {
    const opened = await converse()
    storeSession({ draft: 'À moitié écrit' })
    server.isDown = true
    server.drop()
    opened.client.send(key, 'Mon serveur fume')
    server.isDown = false
    server.isClosed = true
    for (let reload = 0; reload < 2; reload += 1) {
      const again = await load()
      expect([again.read().phase, again.unsentText()]).toEqual(['ended', 'Mon serveur fume\nÀ moitié écrit'])
    }
    session?.forget()
    expect([hasKey(), readStored().draft]).toEqual([false, 'Mon serveur fume\nÀ moitié écrit'])
  })

  test('of a closed conversation that another tab began is shown, not dropped', async () => {
    const opened = await converse()
    server.isDown = true
    server.drop()
    opened.client.send(key, 'Mon serveur fume')
    tabStorage.write(chatIdStorageKey, null)
    server.isDown = false
    server.isClosed = true
    const again = await load()
    expect([again.read().phase, again.unsentText()]).toEqual(['ended', 'Mon serveur fume'])
  })

  test('is removed once it was sent as a request', async () => {
    const opened = await converse()
    storeSession({ draft: 'À moitié écrit' })
    server.isDown = true
    server.drop()
    opened.client.send(key, 'Mon serveur fume')
    opened.replaceUnsentText('Mon serveur fume, encore')
    expect([opened.unsentText(), storage.all.size]).toEqual(['Mon serveur fume, encore', 0])
    opened.replaceUnsentText('')
    expect(opened.unsentText()).toBe('')
  })
})

test('a form that was begun before everybody left leads to a message with its name and address, and reaches nobody', async () => {
  const open = JSON.stringify({ user_count: 1, state: 'open' })
  vi.stubGlobal('fetch', async () => new Response(open, { headers: { 'content-type': 'application/json' } }))
  const { leaveMessage, read } = await load()
  expect(read().phase).toBe('form')
  const login = {
    client_name: 'Annie',
    client_email: 'annie@example.com',
    client_business: '',
    language: 'fr',
    page: '/',
  } as const
  leaveMessage(login)
  expect(read().phase).toBe('closed')
  expect(readStored().visitor).toEqual({ name: 'Annie', email: 'annie@example.com' })
  expect(server.sockets).toEqual([])
})
