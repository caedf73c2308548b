import { io, type Socket } from 'socket.io-client'
import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { hashAddress } from './server/addresses.ts'
import { chats as chatTable } from './server/table.ts'
import type { ChatSettings } from './contract.ts'
import { ask, createChatSockets, next, visitorInput } from './testing.ts'
import type { ChatConnected, ChatMessage } from './protocol.ts'

const guest = 'https://www.example.com'
const stranger = 'https://other.example.com'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
const sockets: Socket[] = []

beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
  chats = createChatSockets(product)
  const supervisor = await product.signIn({ chat: 'administrator' })
  const { body } = await supervisor.get<ChatSettings>('/api/chat/settings')
  await supervisor.put('/api/chat/settings', { ...body, embed_origins: [guest] })
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  chats.close()
  await product.stop()
})

/** A client whose network lets no WebSocket through. */
function open(namespace: string, headers: Record<string, string>) {
  const socket = io(product.origin + namespace, {
    transports: ['polling'],
    forceNew: true,
    reconnection: false,
    extraHeaders: headers,
  })
  sockets.push(socket)
  return new Promise<Socket | 'refused'>((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', () => resolve('refused'))
  })
}

async function connected(...how: Parameters<typeof open>) {
  const socket = await open(...how)
  if (socket === 'refused') throw new Error('the poll was refused')
  return socket
}

describe('where WebSockets are blocked', () => {
  test('visitor and technician talk by long polling', async () => {
    const client = await product.signIn({ chat: 'read_write' })
    const technician = await connected('/staff', { origin: product.origin, cookie: client.cookieHeader() })
    expect(await ask(technician, 'staff:availability', { available: true })).toMatchObject({ ok: true })
    const visitor = await connected('/', { origin: product.origin })
    const pushed = next<{ id: number }>(technician, 'staff:chat')
    const { id_chat: key } = await ask<ChatConnected>(visitor, 'chat:connect', visitorInput)
    const { id } = await pushed
    await ask(technician, 'staff:claim', { id })
    const answered = next<ChatMessage>(visitor, 'chat:new-message')
    expect(await ask(visitor, 'chat:send-message', { id_chat: key, message: 'Allô' })).toMatchObject({ ok: true })
    await ask(technician, 'staff:send-message', { id, message: 'Bonjour' })
    expect(await answered).toMatchObject({ message: 'Bonjour', bz_staff: true })
    expect(visitor.io.engine.transport.name).toBe('polling')
  })

  test('limits long polling by the client address behind trusted proxies', async () => {
    await chats.openTechnician()
    const visitor = await connected('/', { origin: product.origin, 'x-forwarded-for': '203.0.113.9' })
    const { id_chat: key } = await ask<ChatConnected>(visitor, 'chat:connect', visitorInput)
    const [chat] = await product.db.select().from(chatTable).where(eq(chatTable.key, key)).orderBy(desc(chatTable.id))
    expect(chat?.clientAddress).toBe(hashAddress(product.db, '203.0.113.9'))
    expect(chat?.clientAddress).not.toContain('203.0.113')
    const join = () => ask(visitor, 'chat:client-join', { id_chat: key })
    const joins: Awaited<ReturnType<typeof join>>[] = []
    // In small groups: 310 at once on a busy machine take longer than the connection may be silent.
    while (joins.length < 310) joins.push(...(await Promise.all([join(), join(), join(), join(), join()])))
    expect(joins.filter((answer) => answer.error?.code === 'limited')).toHaveLength(10)
  })
})

describe('a long poll from another site', () => {
  const handshake = (headers: Record<string, string>) =>
    fetch(`${product.origin}/socket.io/?EIO=4&transport=polling`, { headers })

  test('opens for an allowed site alone, with its name and without credentials', async () => {
    const allowed = await handshake({ origin: guest })
    expect(allowed.status).toBe(200)
    expect(allowed.headers.get('access-control-allow-origin')).toBe(guest)
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    expect(allowed.headers.get('x-content-type-options')).toBe('nosniff')
    for (const origin of [stranger, 'null']) {
      const refused = await handshake({ origin })
      expect(refused.status).toBe(403)
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('cannot speak in a connection of another page, whatever it knows of it', async () => {
    const begun = await (await handshake({ origin: product.origin })).text()
    const { sid } = JSON.parse(begun.slice(1)) as { sid: string }
    const address = `${product.origin}/socket.io/?EIO=4&transport=polling&sid=${sid}`
    const post = (origin: string) =>
      fetch(address, { method: 'POST', headers: { origin, 'content-type': 'text/plain' }, body: '40' })
    expect((await post(stranger)).status).toBe(403)
    expect((await fetch(address, { headers: { origin: stranger } })).status).toBe(403)
    expect((await post(product.origin)).status).toBe(200)
  })

  test('never reaches the technicians’ side, whatever cookie comes along', async () => {
    const client = await product.signIn({ chat: 'read_write' })
    expect(await open('/staff', { origin: guest, cookie: client.cookieHeader() })).toBe('refused')
    expect(await open('/staff', { origin: stranger, cookie: client.cookieHeader() })).toBe('refused')
    expect(await open('/staff', { origin: product.origin })).toBe('refused')
  })
})
