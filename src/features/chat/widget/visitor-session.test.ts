import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tabStorage } from '#src/ui/storage.ts'
import { createStorage, FakeServer, key, refuse, settle } from '../client/fake-server.ts'
import { chatIdStorageKey, resumeStorageKey } from '../keys.ts'
import { createVisitorSession } from './visitor-session.ts'
import { readStored, storeSession } from './visitor-storage.ts'

class ChatServer extends FakeServer {
  technicians = 1
  isClosed = false
  /** An instance of the version before ids of starts. */
  isFormer = false
  started = new Set<unknown>()

  override handle(event: string, input: Record<string, unknown>) {
    if (event === 'chat:close') this.isClosed = true
    if (event === 'chat:close') return { ok: true, transcript: true }
    if (event !== 'chat:connect') return super.handle(event, input)
    const { client_id: id } = input
    if (this.isFormer && id !== undefined) return { ok: false, error: { code: 'invalid', message: 'invalid', fields: [] } }
    const isNew = !this.started.has(id)
    this.started.add(id)
    const facts = { id_chat: key, user_count: this.technicians, auto_reply: { chat_auto_reply: false }, can_attach: false }
    return { ok: true, ...facts, ...(this.isFormer ? {} : { is_new: isNew }) }
  }

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

test('the end of an earlier conversation, sent again, does not end the present one', async () => {
  const opened = await converse()
  const earlier = { id_chat: 'b'.repeat(32), transcript: true }
  for (const socket of server.sockets) socket.fire('chat:closed', earlier)
  expect(opened.read().phase).toBe('open')
  opened.forget()
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

describe('a conversation that the visitor ended while the server could not be reached', () => {
  const closes = () => server.requests.filter(([event]) => event === 'chat:close').length

  async function endAlone() {
    const opened = await converse()
    server.isDown = true
    server.drop()
    await opened.end()
    expect(opened.read()).toMatchObject({ phase: 'ended', canMail: false })
    return opened
  }
  const reconnect = async () => {
    server.isDown = false
    await settle(6_000)
  }

  test.each(['on the same page', 'after a reload'])('is ended once it can be, %s', async (where) => {
    let opened = await endAlone()
    const phases = new Set<string>()
    if (where === 'after a reload') opened = await load()
    opened.subscribe(() => phases.add(opened.read().phase))
    await reconnect()
    expect([closes(), opened.read().phase, phases.has('open')]).toEqual([1, 'ended', false])
    expect(opened.read().canMail).toBe(true)
    server.drop()
    await settle(6_000)
    expect(closes()).toBe(1)
    opened.forget()
    expect(readStored().ended).toBeUndefined()
  })

  test('is ended again where that was lost too', async () => {
    const opened = await endAlone()
    server.faults.push(['close', 'lose the request'])
    await reconnect()
    await settle(9_000)
    expect([closes(), opened.read().phase]).toEqual([1, 'ended'])
    server.drop()
    await settle(6_000)
    expect([closes(), opened.read().canMail]).toEqual([2, true])
  })

  test('goes on where a technician reopened it', async () => {
    const opened = await converse()
    server.faults.push(['close', 'lose the answer'])
    void opened.end()
    await settle(9_000)
    expect([closes(), opened.read().phase]).toEqual([1, 'ended'])
    server.isClosed = false
    for (const socket of server.sockets) socket.fire('chat:reopened', { id_chat: key })
    await settle()
    expect([closes(), opened.read().phase]).toEqual([1, 'open'])
  })

  test('goes on where somebody had closed it before a technician reopened it', async () => {
    const opened = await endAlone()
    server.isClosed = true
    await reconnect()
    server.isClosed = false
    server.drop()
    await settle(6_000)
    expect([closes(), opened.read().phase]).toEqual([0, 'open'])
  })
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

const login = {
  client_name: 'Annie',
  client_email: 'annie@example.com',
  client_business: '',
  language: 'fr',
  page: '/',
} as const

describe('a start', () => {
  const ids = () => server.requests.filter(([event]) => event === 'chat:connect').map(([, input]) => input.client_id)
  const joins = () => server.requests.filter(([event]) => event === 'chat:client-join')
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

  async function logIn(wait = 300) {
    const opened = await load()
    opened.logIn(login)
    await settle(wait)
    return opened
  }

  test('whose answer is lost is sent again under its id, until it is answered; the next one has another', async () => {
    server.faults.push(['connect', 'lose the answer'], ['connect', 'lose the request'], ['connect', refuse('broken')])
    const opened = await logIn(40_000)
    expect(ids()).toHaveLength(4)
    expect(new Set(ids()).size).toBe(1)
    expect(ids()[0]).toMatch(uuid)
    expect(opened.read()).toMatchObject({ phase: 'open', idChat: key })
    opened.forget()
    const again = await logIn()
    expect(again.read().phase).toBe('open')
    expect(ids().at(-1)).toMatch(uuid)
    expect(new Set(ids()).size).toBe(2)
  })

  test('keeps its id where the connection breaks, and where the page is loaded again before the answer', async () => {
    server.faults.push(['connect', 'lose the answer'], ['connect', 'lose the answer'])
    await logIn()
    server.drop()
    await settle(2_000)
    const again = await logIn()
    expect(ids()).toHaveLength(3)
    expect(ids()[0]).toMatch(uuid)
    expect(new Set(ids()).size).toBe(1)
    expect(again.read()).toMatchObject({ phase: 'open', idChat: key })
  })

  test('that is known already shows what was written since, and one that is new is not read', async () => {
    await logIn()
    expect(joins()).toEqual([])
    session?.forget()
    server.faults.push(['connect', 'lose the answer'])
    await logIn()
    server.write('Bonjour, Annie')
    await settle(20_000)
    expect(session?.client.conversation(key).messages.map(({ message }) => message)).toEqual(['Bonjour, Annie'])
  })

  test.each([
    ['was closed', 'ended', () => void (server.isClosed = true)],
    ['has no technician any more', 'nobody', () => void (server.technicians = 0)],
  ])('that is known already and %s is shown as after a reload', async (_what, phase, change) => {
    server.faults.push(['connect', 'lose the answer'])
    await logIn()
    change()
    await settle(20_000)
    expect(session?.read().phase).toBe(phase)
    server.technicians = 1
    server.isClosed = false
    for (const socket of server.sockets) socket.fire('chat:reopened', { id_chat: key })
    await settle(20_000)
    expect(session?.read().phase).toBe('open')
  })

  test('is made without the id where an instance of the former version refuses it', async () => {
    server.isFormer = true
    const opened = await logIn()
    expect(ids()).toEqual([expect.stringMatching(uuid), undefined])
    expect(opened.read()).toMatchObject({ phase: 'open', idChat: key })
  })

  test.each(['invalid', 'limited', 'blocked'] as const)('that is refused as %s shows the form again', async (code) => {
    server.faults.push(['connect', refuse(code, { fields: ['client_email'] })])
    const opened = await logIn()
    expect(ids()).toHaveLength(1)
    expect(opened.read()).toMatchObject({ phase: 'form', refusedLogin: { code, fields: ['client_email'] } })
  })
})

test('a form that was begun before everybody left leads to a message with its name and address, and reaches nobody', async () => {
  const open = JSON.stringify({ user_count: 1, state: 'open' })
  vi.stubGlobal('fetch', async () => new Response(open, { headers: { 'content-type': 'application/json' } }))
  const { leaveMessage, read } = await load()
  expect(read().phase).toBe('form')
  leaveMessage(login)
  expect(read().phase).toBe('closed')
  expect(readStored().visitor).toEqual({ name: 'Annie', email: 'annie@example.com' })
  expect(server.sockets).toEqual([])
})
