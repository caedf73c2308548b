import { randomUUID } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import { ask, createChatSockets, next, visitorInput } from './testing.ts'
import type { ChatAvailability } from './contract.ts'
import type { ChatJoined, ChatMessage, StaffMessage } from './protocol.ts'

let product: TestApp
let smtp: Awaited<ReturnType<typeof startTestSmtp>>
let chats: ReturnType<typeof createChatSockets>

beforeAll(async () => {
  smtp = await startTestSmtp()
  product = await startTestApp({ environment: { SMTP_URL: smtp.url }, queue: true })
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
  await smtp.stop()
})

const open = (...how: Parameters<typeof chats.open>) => chats.open(...how)
const openTechnician = (available?: boolean) => chats.openTechnician(available)
const openChat = (technician: Socket) => chats.openChat(technician)

const availability = async () => (await (await product.client()).get<ChatAvailability>('/public_api/chat/available-users')).body

describe('availability', () => {
  test('counts users, not tabs, and only those who set themselves available', async () => {
    const before = (await availability()).user_count
    const technician = await openTechnician(false)
    expect((await availability()).user_count).toBe(before)
    await ask(technician, 'staff:availability', { available: true })
    await open('/staff', { cookie: technician.client.cookieHeader() })
    await expect.poll(async () => (await availability()).user_count).toBe(before + 1)
    await ask(technician, 'staff:availability', { available: false })
    expect((await availability()).user_count).toBe(before)
  })

  test('ends with the session: the server closes the socket', async () => {
    const technician = await openTechnician()
    const closed = next(technician, 'disconnect')
    await technician.client.post('/api/auth/logoff')
    expect(await closed).toBe('io server disconnect')
  })

  test('refuses to start a chat while no technician is available', async () => {
    const alone = await startTestApp()
    const socket = io(alone.origin, { transports: ['websocket'], forceNew: true, extraHeaders: { origin: alone.origin } })
    const answer = await ask(socket, 'chat:connect', visitorInput)
    expect(answer).toMatchObject({ ok: false, error: { code: 'no_users' } })
    socket.disconnect()
    await alone.stop()
  })
})

describe('a conversation', () => {
  let technician: Awaited<ReturnType<typeof openTechnician>>
  beforeEach(async () => {
    technician = await openTechnician()
  })

  test('carries messages both ways, numbered without gaps', async () => {
    const { socket, key, id } = await openChat(technician)
    const arrived = next<StaffMessage>(technician, 'staff:new-message')
    const sent = await ask<{ message: ChatMessage }>(socket, 'chat:send-message', { id_chat: key, message: ' Bonjour ! ' })
    expect(sent.message).toMatchObject({ seq: 1, id_chat: key, message: 'Bonjour !', bz_staff: false, user_name: 'Annie' })
    const received = await arrived
    expect(received).toMatchObject({ id, message: 'Bonjour !', seq: 1 })
    expect(JSON.stringify(received)).not.toContain(key)

    await ask(technician, 'staff:claim', { id })
    const answered = next<ChatMessage>(socket, 'chat:new-message')
    await ask(technician, 'staff:send-message', { id, message: 'Je regarde.' })
    expect(await answered).toMatchObject({ seq: 2, bz_staff: true, id_chat: key, tech_id_user: technician.client.user.id })
  })

  test('the same client_message_id twice is one message', async () => {
    const { socket, key } = await openChat(technician)
    const input = { id_chat: key, message: 'Une fois', client_message_id: randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => ask<{ message: ChatMessage }>(socket, 'chat:send-message', input)))
    expect(new Set(answers.map((answer) => answer.message.id_message)).size).toBe(1)
    const joined = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })
    expect(joined.messages).toHaveLength(1)
    const later = await ask<{ message: ChatMessage }>(socket, 'chat:send-message', { id_chat: key, message: 'Deux' })
    expect(later.message.seq).toBe(2)
  })

  test('fifty messages at once get fifty numbers in a row, and a return catches up from any of them', async () => {
    const { key } = await openChat(technician)
    const tabs = await Promise.all([open('/'), open('/'), open('/'), open('/'), open('/')])
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const tab = tabs[index % tabs.length]
        if (!tab) throw new Error('no tab')
        return ask(tab, 'chat:send-message', { id_chat: key, message: `Message ${index}` })
      }),
    )
    const back = await open('/')
    const all = await ask<ChatJoined>(back, 'chat:client-join', { id_chat: key })
    expect(all.messages.map((message) => message.seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    const rest = await ask<ChatJoined>(back, 'chat:client-join', { id_chat: key, after_seq: 45 })
    expect(rest.messages.map((message) => message.seq)).toEqual([46, 47, 48, 49, 50])
  })

  test('is claimed by exactly one of many', async () => {
    const { id } = await openChat(technician)
    const others = await Promise.all(Array.from({ length: 6 }, () => openTechnician()))
    const answers = await Promise.all([technician, ...others].map((one) => ask(one, 'staff:claim', { id })))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => answer.error?.code === 'taken')).toHaveLength(6)
  })

  test('who did not claim it cannot write to its visitor, but can leave a note the visitor never gets', async () => {
    const { socket, key, id } = await openChat(technician)
    await ask(technician, 'staff:claim', { id })
    const other = await openTechnician()
    expect(await ask(other, 'staff:send-message', { id, message: 'Non' })).toMatchObject({ ok: false, error: { code: 'taken' } })
    expect(await ask(other, 'staff:note', { id, message: 'Voir AS-2026-000118' })).toMatchObject({ ok: true })
    await ask(technician, 'staff:send-message', { id, message: 'Bonjour' })
    const joined = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })
    expect(joined.messages.map((message) => [message.seq, message.message])).toEqual([[1, 'Bonjour']])
    const opened = await ask<{ messages: StaffMessage[] }>(technician, 'staff:open', { id })
    expect(opened.messages.map((message) => message.internal)).toEqual([true, false])
  })

  test('once closed takes no more messages, and both sides know', async () => {
    const { socket, key, id } = await openChat(technician)
    const closed = next(socket, 'chat:closed')
    await ask(technician, 'staff:claim', { id })
    const other = await openTechnician()
    expect(await ask(other, 'staff:close', { id })).toMatchObject({ ok: false })
    await ask(technician, 'staff:close', { id })
    expect(await closed).toEqual({ id_chat: key, transcript: false })
    expect(await ask(socket, 'chat:send-message', { id_chat: key, message: 'Encore ?' })).toMatchObject({
      error: { code: 'closed' },
    })
    expect(await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })).toMatchObject({ ok: true, closed: true })
  })

  test('its transcript reaches the visitor’s address', async () => {
    const { socket, key, id } = await openChat(technician)
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Le téléphone est mort.' })
    await ask(technician, 'staff:claim', { id })
    await ask(technician, 'staff:send-message', { id, message: 'Je regarde.' })
    const visitor = await product.client()
    expect((await visitor.post('/public_api/chat/transcript', { id_chat: key })).status).toBe(204)
    const mine = () => smtp.received.filter((mail) => mail.text?.includes('Le téléphone est mort.'))
    await expect.poll(mine, { timeout: 15_000 }).toHaveLength(1)
    expect(mine()[0]?.envelope.to).toEqual(['annie@example.com'])
  })

  test('sends each side how far the other has read', async () => {
    const { socket, key, id } = await openChat(technician)
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Allô' })
    await ask(technician, 'staff:claim', { id })
    const read = next<{ seq: number }>(socket, 'chat:read')
    await ask(technician, 'staff:read', { id, seq: 99 })
    expect(await read).toEqual({ seq: 1 })
  })
})
