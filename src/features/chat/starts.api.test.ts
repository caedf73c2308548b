import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '#src/app/app.ts'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import type { ChatConnected, ChatJoined, ChatMessage, StaffChat } from './protocol.ts'
import { chats as chatTable } from './server/table.ts'
import { ask, createChatSockets, next, visitorInput } from './testing.ts'

/* A start whose answer was lost is sent again: it is one conversation, whoever asks and whichever instance is reached. */

let product: TestApp
let other: Awaited<ReturnType<typeof buildApp>>
let chats: ReturnType<typeof createChatSockets>
let elsewhere: ReturnType<typeof createChatSockets>

beforeAll(async () => {
  product = await startTestApp()
  other = await buildApp(product.app.config, product.database, 'none')
  await other.listen({ port: 0, host: '127.0.0.1' })
  chats = createChatSockets(product)
  elsewhere = createChatSockets({ ...product, origin: other.listeningOrigin })
})
afterEach(() => {
  chats.close()
  elsewhere.close()
  vi.restoreAllMocks()
})
afterAll(async () => {
  await other.close()
  await product.stop()
})

/** A start as a page sends it, under an address of its own by which it is found. */
const newStart = () => ({ ...visitorInput, client_email: `${randomUUID()}@example.com`, page: '/', client_id: randomUUID() })
type Start = ReturnType<typeof newStart>

const send = (socket: Socket, start: object) => ask<ChatConnected>(socket, 'chat:connect', start)
const stored = ({ client_email: email }: Start) => product.db.select().from(chatTable).where(eq(chatTable.clientEmail, email))

/** A technician who is available, and what their console receives of the conversations of one start. */
async function watch({ client_email: email }: Start, sockets = chats) {
  const technician = await sockets.openTechnician()
  const received: StaffChat[] = []
  technician.on('staff:chat', (chat: StaffChat) => chat.client_email === email && received.push(chat))
  return { technician, received }
}

describe('one start', () => {
  test('that is sent eight times at once, on two instances, is one conversation', async () => {
    const start = newStart()
    const counted = [vi.spyOn(product.app.visits, 'countSent'), vi.spyOn(other.visits, 'countSent')]
    const { received } = await watch(start)
    await watch(start, elsewhere)
    const sockets = await Promise.all([0, 1, 2, 3].flatMap(() => [chats.open('/'), elsewhere.open('/')]))
    const answers = await Promise.all(sockets.map((socket) => send(socket, start)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    expect(new Set(answers.map((answer) => answer.id_chat)).size).toBe(1)
    expect(answers.filter((answer) => answer.is_new)).toHaveLength(1)
    const rows = await stored(start)
    expect(rows.map(({ key }) => key)).toEqual([answers[0]?.id_chat])
    await expect.poll(() => received.length).toBeGreaterThan(0)
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)))
    expect(counted.flatMap(({ mock }) => mock.calls)).toHaveLength(1)
  })

  test.each(['the same instance', 'another instance'])(
    'whose answer was lost is answered again by %s, with what was written since',
    async (where) => {
      const start = newStart()
      const { technician, received } = await watch(start)
      await watch(start, elsewhere)
      const first = await send(await chats.open('/'), start)
      expect(first).toMatchObject({ ok: true, is_new: true })
      await expect.poll(() => received.length).toBeGreaterThan(0)
      const id = received[0]?.id
      await ask(technician, 'staff:claim', { id })
      await ask(technician, 'staff:send-message', { id, message: 'Bonjour, Annie' })

      const socket = await (where === 'another instance' ? elsewhere : chats).open('/')
      expect(await send(socket, start)).toEqual({ ...first, is_new: false })
      const { messages } = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: first.id_chat })
      expect(messages.map(({ message }) => message)).toEqual(['Bonjour, Annie'])
      expect(await stored(start)).toHaveLength(1)
      expect(new Set(received.map((chat) => chat.id))).toEqual(new Set([id]))
    },
  )

  test('joins its conversation by the repeat alone', async () => {
    const start = newStart()
    const { technician, received } = await watch(start)
    const lost = await chats.open('/')
    await send(lost, start)
    lost.disconnect()
    await expect.poll(() => received.at(-1)?.visitor_online).toBe(false)
    const socket = await chats.open('/')
    await send(socket, start)
    await expect.poll(() => received.at(-1)?.visitor_online).toBe(true)
    const arrived = next<ChatMessage>(socket, 'chat:new-message')
    const id = received[0]?.id
    await ask(technician, 'staff:claim', { id })
    await ask(technician, 'staff:send-message', { id, message: 'Bonjour' })
    expect(await arrived).toMatchObject({ message: 'Bonjour' })
  })

  test('is answered again where no technician is there any more', async () => {
    const start = newStart()
    const { technician } = await watch(start)
    const socket = await chats.open('/')
    const { id_chat } = await send(socket, start)
    await ask(technician, 'staff:availability', { available: false })
    expect(await send(socket, start)).toMatchObject({ ok: true, id_chat, user_count: 0, is_new: false })
    expect(await send(socket, newStart())).toMatchObject({ ok: false, error: { code: 'no_users' } })
  })

  test('begins a new conversation where the former one was closed or erased, and none for whom it was blocked', async () => {
    const start = newStart()
    const { technician } = await watch(start)
    const socket = await chats.open('/')
    const first = await send(socket, start)
    await ask(socket, 'chat:close', { id_chat: first.id_chat })
    const second = await send(socket, start)
    expect(second).toMatchObject({ ok: true, is_new: true })
    expect(second.id_chat).not.toBe(first.id_chat)
    // The answer of the new one may be lost too.
    expect(await send(socket, start)).toMatchObject({ ok: true, is_new: false, id_chat: second.id_chat })
    expect(await stored(start)).toHaveLength(2)

    const officer = await product.signIn()
    expect((await officer.post('/api/privacy/erase', { email: start.client_email })).status).toBe(200)
    expect(await stored(start)).toEqual([])
    expect(await send(socket, start)).toMatchObject({ ok: true, is_new: true })
    const [row] = await stored(start)
    const block = { id_chat: row?.id, by_email: true, by_address: false, hours: 1, reason: 'Injures' }
    expect((await technician.client.post('/api/chat/blocks', block)).status).toBe(201)
    expect(await send(socket, start)).toMatchObject({ ok: false, error: { code: 'blocked' } })
  })
})

test('other ids, other details under one id and starts without an id are conversations of their own', async () => {
  const start = newStart()
  await watch(start)
  const socket = await chats.open('/')
  const { client_id: _, ...former } = start
  const starts = [
    start,
    { ...start, client_id: randomUUID() },
    { ...start, client_name: 'Annie Roy' },
    { ...start, client_business: 'Clinique' },
    former,
    former,
  ]
  const answers = await Promise.all(starts.map((one) => send(socket, one)))
  expect(answers.every(({ ok, is_new }) => ok && is_new)).toBe(true)
  expect(new Set(answers.map((answer) => answer.id_chat)).size).toBe(starts.length)
  // Who guessed an id would need the visitor's details too.
  const guessed = await send(await chats.open('/'), { ...start, client_email: 'mallory@example.com' })
  expect(answers.map((answer) => answer.id_chat)).not.toContain(guessed.id_chat)
})

test('the id reaches no console and is not stored', async () => {
  const start = newStart()
  const { technician } = await watch(start)
  const received: unknown[] = []
  technician.onAny((...event) => received.push(event))
  const { id_chat } = await send(await chats.open('/'), start)
  await expect.poll(() => JSON.stringify(received)).toContain(start.client_email)
  const opened = await ask(technician, 'staff:chats', {})
  const shown = JSON.stringify([received, opened, await stored(start)])
  expect(shown).not.toContain(start.client_id)
  expect(JSON.stringify([received, opened])).not.toContain(id_chat)
})

test.each([
  ['no UUID', 'mine'],
  ['empty', ''],
  ['a list', [randomUUID()]],
  ['long', randomUUID().repeat(1_000)],
  ['the UUID of everybody', '00000000-0000-0000-0000-000000000000'],
  ['made of a clock', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
])('an id that is %s is refused by name', async (_what, client_id) => {
  await watch(newStart())
  expect(await send(await chats.open('/'), { ...newStart(), client_id })).toMatchObject({
    ok: false,
    error: { code: 'invalid', fields: ['client_id'] },
  })
})
