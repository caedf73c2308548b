import type { Server, Socket as TcpSocket } from 'node:net'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { createChatSockets, visitorInput } from '../testing.ts'
import { createVisitorClient } from './visitor-client.ts'
import { createStorage } from './fake-server.ts'

/** What a network between the visitor and the server does to a WebSocket. */
const networks = ['refuses it', 'lets it hang', 'swallows what it carries', 'cuts it after 300 ms'] as const
type Network = (typeof networks)[number]

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
const proxies: Server[] = []
const clients: { stop: () => void }[] = []

beforeAll(async () => {
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
  product = await startTestApp()
  chats = createChatSockets(product)
  await chats.openTechnician()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.stop()
})
afterAll(async () => {
  vi.unstubAllGlobals()
  chats.close()
  for (const proxy of proxies) proxy.close()
  await product.stop()
})

/** Passes everything on but WebSockets. */
async function startProxy(network: Network) {
  const upgrades: number[] = []
  const polls: number[] = []
  const proxy = createServer((client) => {
    client.on('error', () => client.destroy())
    client.once('data', (head: Buffer) => {
      const request = head.toString('latin1')
      const isUpgrade = /^upgrade: *websocket/im.test(request)
      if (!isUpgrade && !request.includes('sid=')) polls.push(Date.now())
      if (!isUpgrade) return pass(client, head)
      upgrades.push(Date.now())
      if (network === 'refuses it') return client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      if (network === 'lets it hang') return undefined
      const server = pass(client, head, network === 'swallows what it carries')
      if (network === 'cuts it after 300 ms') setTimeout(() => server.destroy(), 300)
      return undefined
    })
  })
  proxies.push(proxy)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, upgrades, polls }
}

function pass(client: TcpSocket, head: Buffer, isHeadOnly = false) {
  const { hostname, port } = new URL(product.origin)
  const server = connect(Number(port), hostname)
  server.on('error', () => client.destroy())
  server.on('close', () => client.destroy())
  client.on('close', () => server.destroy())
  server.write(head)
  if (isHeadOnly) {
    server.once('data', (answer: Buffer) => client.write(answer.subarray(0, answer.indexOf('\r\n\r\n') + 4)))
    return server
  }
  client.pipe(server)
  server.pipe(client)
  return server
}

test.each(networks)('where the network %s, long polling carries the chat within 5 seconds', async (network) => {
  const { address, upgrades, polls } = await startProxy(network)
  let idChat: string | null = null
  let drops = 0
  const client = createVisitorClient({
    loadIo: () => io,
    host: () => address,
    storage: createStorage(),
    hooks: {
      onLink(link) {
        if (link === 'lost' && idChat) drops += 1
        if (link === 'up' && !idChat) void start()
      },
      onOpened: () => true,
      onOpenFailed: () => undefined,
      onSendRefused: () => undefined,
    },
  })
  clients.push(client)
  const start = async () => {
    const connected = await client.request('chat:connect', visitorInput).catch(() => null)
    if (!connected || idChat) return
    idChat = connected.id_chat
    void client.open(idChat, { isNew: true })
  }
  client.start()
  const texts = () => client.conversation(idChat).messages.map((one) => one.message)
  const arrive = (count: number) => vi.waitFor(() => expect(texts()).toHaveLength(count), { timeout: 20_000 })
  await vi.waitFor(() => expect(idChat).not.toBeNull(), { timeout: 20_000 })
  client.send(idChat ?? '', 'Allô')
  await arrive(1)
  // A connection that the network cuts is not the way yet.
  await vi.waitFor(() => expect(client.isUp() && upgrades.length >= (network === 'cuts it after 300 ms' ? 2 : 1)).toBe(true), {
    timeout: 20_000,
  })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await vi.waitFor(() => expect(client.isUp()).toBe(true), { timeout: 20_000 })
  const before = [drops, upgrades.length]
  for (let count = 0; count < 20; count += 1) client.send(idChat ?? '', `message ${count}`)
  await arrive(21)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect([drops, upgrades.length]).toEqual(before)
  expect((polls.at(-1) ?? Infinity) - (upgrades[0] ?? 0)).toBeLessThan(5_000)
})
