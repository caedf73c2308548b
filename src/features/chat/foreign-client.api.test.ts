import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import type { ChatMessage } from './protocol.ts'
import { ask, createChatSockets, visitorInput } from './testing.ts'

/* Debian's python3-socketio speaks the public protocol alone: no acknowledgements, no field that is not specified. */

const findPython = (modules: string) =>
  ['python3', '/usr/bin/python3'].find((program) => spawnSync(program, ['-c', `import ${modules}`]).status === 0)
/** The module that each transport needs beside the client. */
const transports = [
  ['websocket', findPython('socketio, websocket')],
  ['polling', findPython('socketio, requests')],
] as const

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
})

type Received = [name: string, data: Record<string, unknown>]
const clients: { stop: () => void }[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.stop()
})

async function openForeign(transport: string, python: string) {
  const script = new URL('foreign-client.py', import.meta.url).pathname
  const child = spawn(python, [script, product.origin, transport], { stdio: ['pipe', 'pipe', 'inherit'] })
  const received: Received[] = []
  createInterface({ input: child.stdout }).on('line', (line) => received.push(JSON.parse(line) as Received))
  let readCount = 0
  const write = (line: string) => child.stdin.write(`${line}\n`)
  const client = {
    emit: (event: string, data: unknown) => write(`emit ${event} ${JSON.stringify(data)}`),
    /** The next thing it receives; fails where the server stays silent. */
    async next() {
      await expect.poll(() => received.length, { timeout: 15_000 }).toBeGreaterThan(readCount)
      readCount += 1
      return received[readCount - 1]
    },
    stop: () => child.kill('SIGKILL'),
  }
  clients.push(client)
  write('open')
  const [name] = (await client.next()) ?? []
  expect(name).toBe('connect')
  return client
}

const describeWhere = (python: string | undefined) => (python ? describe : describe.skip)

for (const [transport, python] of transports)
  describeWhere(python)(`a client that knows the public protocol alone, by ${transport}`, () => {
    const open = () => openForeign(transport, python ?? '')

    test('receives events for no available technician, an unknown id and each refusal', async () => {
      const client = await open()
      client.emit('chat:connect', visitorInput)
      expect(await client.next()).toEqual([
        'chat:connected',
        { id_chat: null, user_count: 0, auto_reply: expect.objectContaining({ chat_auto_reply: false }) },
      ])
      for (const id_chat of ['A'.repeat(32), 'an id of another product', '']) {
        client.emit('chat:client-join', { id_chat })
        expect(await client.next()).toEqual(['chat:client-joined', { id_chat, user_count: 0, messages: [] }])
      }
      for (const [event, data, code] of [
        ['chat:connect', { client_name: '' }, 'invalid'],
        ['chat:client-join', {}, 'invalid'],
        ['chat:send-message', { id_chat: 'A'.repeat(32), message: 'Allô' }, 'unknown_chat'],
        ['chat:send-message', { id_chat: 'A'.repeat(32), message: ' ' }, 'invalid'],
        ['chat:send-message', null, 'invalid'],
      ] as const) {
        client.emit(event, data)
        expect(await client.next()).toEqual(['chat:error', { code, message: expect.any(String) }])
      }
    })

    test('talks with a technician, sees its own messages, and comes back', async () => {
      const name = `Étrangère, ${transport}`
      const technician = await chats.openTechnician()
      const arrived = new Promise<{ id: number }>((resolve) => {
        technician.on('staff:chat', (chat: { id: number; client_name: string }) => chat.client_name === name && resolve(chat))
      })
      const client = await open()
      client.emit('chat:connect', { ...visitorInput, client_name: name })
      const connected = await client.next()
      expect(connected).toEqual(['chat:connected', expect.objectContaining({ user_count: 1, id_chat: expect.any(String) })])
      const { id_chat } = connected?.[1] ?? {}
      const { id } = await arrived

      client.emit('chat:send-message', { id_chat, message: 'Allô' })
      const own = { id_chat, message: 'Allô', bz_staff: false, user_name: name, seq: 1 }
      expect(await client.next()).toEqual(['chat:new-message', expect.objectContaining(own)])
      await ask(technician, 'staff:claim', { id })
      await ask(technician, 'staff:send-message', { id, message: 'Bonjour!' })
      const answer = { id_chat, message: 'Bonjour!', bz_staff: true, tech_id_user: technician.client.user.id, seq: 2 }
      expect(await client.next()).toEqual(['chat:new-message', expect.objectContaining(answer)])

      client.stop()
      const again = await open()
      again.emit('chat:client-join', { id_chat })
      const joined = await again.next()
      expect(joined).toEqual(['chat:client-joined', expect.objectContaining({ id_chat, user_count: 1 })])
      const messages = joined?.[1].messages as ChatMessage[] | undefined
      expect(messages?.map(({ message }) => message)).toEqual(['Allô', 'Bonjour!'])

      await ask(technician, 'staff:close', { id })
      expect(await again.next()).toEqual(['chat:closed', expect.objectContaining({ id_chat })])
      again.emit('chat:send-message', { id_chat, message: 'Encore?' })
      expect(await again.next()).toEqual(['chat:error', expect.objectContaining({ code: 'closed' })])
      technician.disconnect()
    })

    test('receives answers on a connection that only sent a message', async () => {
      const technician = await chats.openTechnician()
      const { key, id, socket } = await chats.openChat(technician)
      socket.disconnect()
      await ask(technician, 'staff:claim', { id })
      const client = await open()
      client.emit('chat:send-message', { id_chat: key, message: 'Me revoici' })
      expect(await client.next()).toEqual(['chat:new-message', expect.objectContaining({ message: 'Me revoici' })])
      await ask(technician, 'staff:send-message', { id, message: 'Je vous écoute.' })
      expect(await client.next()).toEqual(['chat:new-message', expect.objectContaining({ message: 'Je vous écoute.' })])
      technician.disconnect()
    })
  })
