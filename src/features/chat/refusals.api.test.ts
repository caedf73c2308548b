import type { Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { ask, createChatSockets, visitorInput } from './testing.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>

beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(() => product.stop())
// The server takes 50 sockets from one address.
afterEach(() => chats.close())

const open = (...how: Parameters<typeof chats.open>) => chats.open(...how)
const openTechnician = (available?: boolean) => chats.openTechnician(available)
const openChat = (technician: Socket) => chats.openChat(technician)

describe('what is not allowed', () => {
  test('a guessed key is refused as one that never existed, everywhere', async () => {
    await openTechnician()
    const socket = await open('/')
    const guessed = 'A'.repeat(32)
    for (const event of ['chat:client-join', 'chat:close', 'chat:typing'] as const) {
      expect(await ask(socket, event, { id_chat: guessed })).toMatchObject({ ok: false, error: { code: 'unknown_chat' } })
    }
    expect(await ask(socket, 'chat:send-message', { id_chat: guessed, message: 'x' })).toMatchObject({
      error: { code: 'unknown_chat' },
    })
    const visitor = await product.client()
    expect((await visitor.post('/public_api/chat/transcript', { id_chat: guessed })).status).toBe(404)
    expect((await visitor.post('/public_api/chat/client-leave', { id_chat: guessed })).status).toBe(404)
  })

  test.each([
    ['nothing at all', undefined],
    ['a text for an object', 'x'],
    ['an unknown field', { ...visitorInput, admin: true }],
    ['a list for a name', { ...visitorInput, client_name: ['x'] }],
    ['a bad address', { ...visitorInput, client_email: 'annie' }],
    ['a name without a visible character', { ...visitorInput, client_name: '\u3164\u2800' }],
    ['a name of two lines', { ...visitorInput, client_name: 'a\nBcc: x@example.com' }],
  ])('chat:connect with %s', async (_name, input) => {
    await openTechnician()
    expect(await ask(await open('/'), 'chat:connect', input)).toMatchObject({ ok: false, error: { code: 'invalid' } })
  })

  test('an international address is taken, and a name is composed and without control characters', async () => {
    const technician = await openTechnician()
    const input = {
      client_name: 'He\u0301le\u0300ne\u001b',
      client_email: 'hélène@québec.ca',
      client_business: 'Cafe\u0301\u0007',
    }
    const { id } = await chats.openChat(technician, input)
    expect(await ask(technician, 'staff:open', { id })).toMatchObject({
      chat: { client_name: 'Hélène', client_email: 'hélène@québec.ca', client_business: 'Café' },
    })
  })

  test('chat:connect names the fields that it refuses', async () => {
    await openTechnician()
    const input = { ...visitorInput, client_name: ' ', client_email: 'annie@' }
    expect(await ask(await open('/'), 'chat:connect', input)).toMatchObject({
      error: { code: 'invalid', fields: ['client_name', 'client_email'] },
    })
  })

  test('an empty, blank or over-long message', async () => {
    const technician = await openTechnician()
    const { socket, key } = await openChat(technician)
    for (const message of [
      '',
      '   \n ',
      '\u200B\u200B',
      '\u3164',
      '\u2800 \u2060',
      '\u0007',
      'a'.repeat(4_001),
      'a\0b',
      '\ud800',
      5,
    ]) {
      expect(await ask(socket, 'chat:send-message', { id_chat: key, message })).toMatchObject({ error: { code: 'invalid' } })
    }
    expect(await ask(socket, 'chat:send-message', { id_chat: key, message: 'a'.repeat(4_000) })).toMatchObject({ ok: true })
  })

  test('ignores staff events sent by a visitor', async () => {
    const technician = await openTechnician()
    const { socket, id } = await openChat(technician)
    const answer = socket.timeout(500).emitWithAck('staff:close', { id })
    await expect(answer).rejects.toThrow('timed out')
    expect(await ask(technician, 'staff:open', { id })).toMatchObject({ chat: { status: 'waiting' } })
  })

  test('/staff without a session, or without the right on the chat', async () => {
    await expect(open('/staff')).rejects.toThrow('not_connected')
    const other = await product.signIn({ networks: 'administrator' })
    await expect(open('/staff', { cookie: other.cookieHeader() })).rejects.toThrow('forbidden')
  })

  test('a reader at the console cannot claim, send or be available', async () => {
    const technician = await openTechnician()
    const { id } = await openChat(technician)
    const client = await product.signIn({ chat: 'read_only' })
    const reader = await open('/staff', { cookie: client.cookieHeader() })
    expect(await ask(reader, 'staff:open', { id })).toMatchObject({ ok: true })
    for (const [event, input] of [
      ['staff:claim', { id }],
      ['staff:send-message', { id, message: 'x' }],
      ['staff:availability', { available: true }],
      ['staff:close', { id }],
    ] as const) {
      expect(await ask(reader, event, input)).toMatchObject({ ok: false, error: { code: 'forbidden' } })
    }
  })

  test.each(['https://evil.example.com', 'null'])('a socket from %s', async (origin) => {
    await expect(open('/', { origin })).rejects.toThrow('websocket error')
  })

  test('a beacon from another site', async () => {
    const visitor = await product.client()
    const { status } = await visitor.post(
      '/public_api/chat/client-leave',
      { id_chat: 'A'.repeat(32) },
      { headers: { origin: 'https://evil.example.com' } },
    )
    expect(status).toBe(403)
  })

  test.each([
    ['a frame of 1 MB', `42["chat:connect","${'x'.repeat(1_000_000)}"]`],
    ['an unknown packet', '49["chat:connect"]'],
    ['JSON that ends early', '42["chat:connect",{"client_name":'],
    ['an event without a name', '42[{}]'],
    ['an attachment that never comes', '451-["chat:connect",{"_placeholder":true,"num":0}]42["x"]'],
    ['JSON nested 10,000 deep', `42["chat:connect",${'['.repeat(10_000)}${']'.repeat(10_000)}]`],
    ['bytes without a packet', new Uint8Array([1, 2, 3])],
  ])('a connection that sends %s ends or is refused, and nobody else notices', async (_name, packet) => {
    const technician = await openTechnician()
    const calm = await openChat(technician)
    for (const namespace of ['', '/staff,']) {
      const socket = new WebSocket(`${product.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
      const received: string[] = []
      socket.addEventListener('message', ({ data }) => received.push(String(data)))
      await expect.poll(() => received.some((one) => one.startsWith('0'))).toBe(true)
      socket.send(`40${namespace}`)
      await expect.poll(() => received.some((one) => one.startsWith(namespace ? '44' : '40'))).toBe(true)
      socket.send(packet)
      // Whatever it is answered, it is not an error of ours.
      socket.send('42["chat:client-join",{"id_chat":"x"}]')
      const isRefused = () => socket.readyState === WebSocket.CLOSED || received.some((one) => one.startsWith('42["chat:'))
      await expect.poll(isRefused, { timeout: 10_000 }).toBe(true)
      socket.close()
    }
    expect(await ask(calm.socket, 'chat:send-message', { id_chat: calm.key, message: 'Calme' })).toMatchObject({ ok: true })
    expect((await (await product.client()).get('/readyz')).status).toBe(200)
  })

  test('the number of somebody’s conversation is no key to it, and SQL in a text is text', async () => {
    const technician = await openTechnician()
    const { id, key, socket } = await openChat(technician)
    const stranger = await open('/')
    for (const guess of [id, String(id), `${id}`.padStart(32, '0'), key.toLowerCase() === key ? 'a' : key.toLowerCase()]) {
      const answer = await ask(stranger, 'chat:client-join', { id_chat: guess })
      expect(['unknown_chat', 'invalid']).toContain(answer.error?.code)
    }
    const message = `'; drop table chats; -- ' OR 1=1 %_\\`
    const sent = await ask<{ message: { message: string } }>(socket, 'chat:send-message', { id_chat: key, message })
    expect(sent.message.message).toBe(message)
  })

  test('refuses a flood of messages while another visitor goes on', async () => {
    const technician = await openTechnician()
    const flood = await openChat(technician)
    const calm = await openChat(technician)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        ask(flood.socket, 'chat:send-message', { id_chat: flood.key, message: `${index}` }),
      ),
    )
    expect(answers.some((answer) => answer.error?.code === 'limited')).toBe(true)
    expect(await ask(calm.socket, 'chat:send-message', { id_chat: calm.key, message: 'Calme' })).toMatchObject({ ok: true })
  })
})
