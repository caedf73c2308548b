import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { chatMessages, chats as chatTable } from './server/table.ts'
import { ask, createChatSockets, next, visitorInput } from './testing.ts'
import type { ChatConnected, ChatJoined, ChatMessage, StaffChat, StaffMessage } from './protocol.ts'
import { messagesPerConversation } from './values.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
let technician: Awaited<ReturnType<typeof chats.openTechnician>>

beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
})
beforeEach(async () => {
  technician = await chats.openTechnician()
})

async function fill(id: number, count: number, message = (seq: number) => `message ${seq}`) {
  const rows = Array.from({ length: count }, (_, index) => ({
    chatId: id,
    seq: index + 1,
    message: message(index + 1),
    fromStaff: false,
    userName: 'Annie',
  }))
  for (let from = 0; from < count; from += 1_000) await product.db.insert(chatMessages).values(rows.slice(from, from + 1_000))
  await product.db.update(chatTable).set({ lastSeq: count }).where(eq(chatTable.id, id))
}

/** Bytes that reach a socket from now on. */
function countBytes(socket: Socket) {
  let bytes = 0
  socket.io.engine.on('packet', ({ data }: { data?: unknown }) => (bytes += Buffer.byteLength(String(data ?? ''))))
  return () => bytes
}

const seqs = (messages: { seq: number }[]) => messages.map((one) => one.seq)
const row = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a conversation of 10,000 messages', () => {
  test('joined 30 times: pages of 50, once, no answer above 100 KB', async () => {
    const { key, id } = await chats.openChat(technician)
    await fill(id, 10_000)
    for (let time = 0; time < 30; time += 1) {
      const socket = await chats.open('/')
      const received = countBytes(socket)
      const joins: unknown[] = []
      socket.on('chat:client-joined', (joined) => joins.push(joined))
      const joined = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })
      expect(seqs(joined.messages)).toEqual(row(9_951, 10_000))
      expect(joined.has_older).toBe(true)
      expect(joins).toEqual([])
      expect(received()).toBeLessThan(100_000)
      socket.disconnect()
    }
  })

  test('is read backwards to its beginning, and a late return gets the newest page', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await fill(id, 120)
    const received: number[] = []
    for (let before: number | undefined; ;) {
      const page: ChatJoined = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key, before_seq: before })
      received.unshift(...seqs(page.messages))
      before = page.messages[0]?.seq
      if (!page.has_older) break
    }
    expect(received).toEqual(row(1, 120))
    const back = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key, after_seq: 10 })
    expect(seqs(back.messages)).toEqual(row(71, 120))
    const caughtUp = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key, after_seq: 110 })
    expect(seqs(caughtUp.messages)).toEqual(row(111, 120))
  })

  test('of the longest messages stays below 100 KB too', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await fill(id, 200, () => '電'.repeat(4_000))
    const byteCount = countBytes(socket)
    const received: number[] = []
    for (let before: number | undefined; received.length < 30;) {
      const already = byteCount()
      const page: ChatJoined = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key, before_seq: before })
      expect(byteCount() - already).toBeLessThan(100_000)
      expect(page.has_older).toBe(true)
      received.unshift(...seqs(page.messages))
      before = page.messages[0]?.seq
    }
    expect(received).toEqual(row(200 - received.length + 1, 200))
  })

  test('opens for a technician at its end, and goes back page by page with the notes between', async () => {
    const { id } = await chats.openChat(technician)
    await fill(id, 120)
    const notes = Array.from({ length: 60 }, (_, index) => ({
      chatId: id,
      seq: 60,
      internal: true,
      message: `note ${index}`,
      fromStaff: true,
      userName: 'Mireille',
    }))
    await product.db.insert(chatMessages).values(notes)
    type Page = { messages: StaffMessage[]; has_older: boolean }
    const received: StaffMessage[] = []
    for (let before: number | undefined; ;) {
      const page: Page = await ask<Page>(technician, 'staff:open', { id, before_id: before })
      expect(page.messages.length).toBeLessThanOrEqual(50)
      received.unshift(...page.messages)
      before = page.messages[0]?.id_message
      if (!page.has_older) break
    }
    expect(seqs(received.filter((one) => !one.internal))).toEqual(row(1, 120))
    expect(received.filter((one) => one.internal)).toHaveLength(60)
    expect(new Set(received.map((one) => one.id_message)).size).toBe(180)
  })
})

describe('after 2,000 messages', () => {
  test('the visitor goes on in a new conversation, linked to it, with the same technician', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    await fill(id, messagesPerConversation - 1)
    const last = await ask<{ message: ChatMessage }>(socket, 'chat:send-message', { id_chat: key, message: 'la dernière' })
    expect(last.message).toMatchObject({ seq: messagesPerConversation, id_chat: key })
    const other = await chats.open('/')
    await ask(other, 'chat:client-join', { id_chat: key })
    const closed = next<{ id_chat: string; continued_in: string }>(other, 'chat:closed')
    const received = next<ChatMessage>(other, 'chat:new-message')
    const sent = { id_chat: key, message: 'la suite', client_message_id: randomUUID() }
    const on = await ask<{ message: ChatMessage }>(socket, 'chat:send-message', sent)
    expect(on).toMatchObject({ ok: true, message: { seq: 1, message: 'la suite' } })
    const newKey = on.message.id_chat
    expect(newKey).not.toBe(key)
    expect(await closed).toEqual({ id_chat: key, continued_in: newKey })
    expect(await received).toMatchObject({ id_chat: newKey, message: 'la suite' })
    const again = await ask<{ message: ChatMessage }>(socket, 'chat:send-message', sent)
    expect(again.message.id_message).toBe(on.message.id_message)
    expect(await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })).toMatchObject({
      closed: true,
      continued_in: newKey,
    })
    const listed = await ask<{ chats: StaffChat[] }>(technician, 'staff:chats', { scope: 'all' })
    const before = listed.chats.find((one) => one.id === id)
    const after = listed.chats.find((one) => one.continues === id)
    expect(before).toMatchObject({ status: 'closed', continued_in: after?.id })
    expect(after).toMatchObject({ status: 'claimed', id_user: technician.client.user.id, client_name: 'Annie' })
  })

  test('stores a technician’s message there too, and creates it once for many at once', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    await fill(id, messagesPerConversation - 3)
    const tabs = await Promise.all(Array.from({ length: 4 }, () => chats.open('/')))
    const sent = await Promise.all([
      ...tabs.flatMap((tab) =>
        ['un', 'deux'].map((message) =>
          ask<{ message: ChatMessage }>(tab, 'chat:send-message', { id_chat: key, message, client_message_id: randomUUID() }),
        ),
      ),
      ask<{ message: StaffMessage }>(technician, 'staff:send-message', { id, message: 'trois' }),
    ])
    expect(sent.every((answer) => answer.ok)).toBe(true)
    const rows = await product.db.select().from(chatTable).where(eq(chatTable.continuesId, id))
    expect(rows).toHaveLength(1)
    expect(await product.db.$count(chatMessages, eq(chatMessages.chatId, id))).toBe(messagesPerConversation)
    expect(rows[0]?.lastSeq).toBe(6)
    const answered = await ask<{ message: StaffMessage }>(technician, 'staff:send-message', { id, message: 'quatre' })
    expect(answered.message).toMatchObject({ id: rows[0]?.id, seq: 7 })
    const heard = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: String(rows[0]?.key) })
    expect(heard.messages.at(-1)).toMatchObject({ message: 'quatre', bz_staff: true })
  })
})

describe('a client that gives no callback', () => {
  const request = <T>(socket: Socket, event: string, input: unknown, answer: string) => {
    const answered = next<T>(socket, answer)
    socket.emit(event, input)
    return answered
  }

  test('is answered by events: connected, joined, its own message, refused', async () => {
    const socket = await chats.open('/')
    const connected = await request<ChatConnected>(socket, 'chat:connect', visitorInput, 'chat:connected')
    expect(connected).toMatchObject({ id_chat: expect.any(String), user_count: expect.any(Number) })
    const { id_chat: key } = connected
    const sent = { id_chat: key, message: 'Bonjour' }
    const own = await request<ChatMessage>(socket, 'chat:send-message', sent, 'chat:new-message')
    expect(own).toMatchObject({ seq: 1, message: 'Bonjour', bz_staff: false })
    const joined = await request<ChatJoined>(socket, 'chat:client-join', { id_chat: key }, 'chat:client-joined')
    expect(joined).toMatchObject({ id_chat: key, user_count: expect.any(Number), messages: [{ message: 'Bonjour' }] })
    expect(joined.user_count).toBeGreaterThan(0)
    const unknown = { id_chat: 'A'.repeat(32) }
    expect(await request(socket, 'chat:client-join', unknown, 'chat:client-joined')).toMatchObject({ ...unknown, messages: [] })
    expect(await request(socket, 'chat:send-message', { ...unknown, message: 'x' }, 'chat:error')).toMatchObject({
      code: 'unknown_chat',
      message: expect.any(String),
    })
    expect(await request(socket, 'chat:send-message', { id_chat: key }, 'chat:error')).toMatchObject({ code: 'invalid' })
  })

  test('is refused while no technician is connected', async () => {
    const alone = await startTestApp()
    const own = createChatSockets(alone)
    const socket = await own.open('/')
    expect(await request(socket, 'chat:connect', visitorInput, 'chat:connected')).toMatchObject({
      id_chat: null,
      user_count: 0,
      auto_reply: { chat_auto_reply: expect.any(Boolean) },
    })
    own.close()
    await alone.stop()
  })
})

test('a join counts technicians who are connected, available or not', async () => {
  const alone = await startTestApp()
  const own = createChatSockets(alone)
  const person = await own.openTechnician()
  const { key } = await own.openVisitor()
  await ask(person, 'staff:availability', { available: false })
  const socket = await own.open('/')
  expect(await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })).toMatchObject({ user_count: 1 })
  person.disconnect()
  await expect.poll(async () => (await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })).user_count).toBe(0)
  own.close()
  await alone.stop()
})
