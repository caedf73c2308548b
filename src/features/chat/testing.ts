import { io, type Socket } from 'socket.io-client'
import type { TestApp } from '#src/app/testing/test-app.ts'
import type { Rights } from '#src/lib/rights.ts'
import type { ChatRefused, QueuePlace, StaffChat } from './protocol.ts'

export type Answer<T = object> = T & { ok: boolean; error?: ChatRefused }

export const visitorInput = { client_name: 'Annie', client_email: 'annie@example.com', client_business: 'Clinique du Fleuve' }

export const ask = <T>(socket: Socket, event: string, input: unknown) =>
  socket.timeout(10_000).emitWithAck(event, input) as Promise<Answer<T>>
export const next = <T>(socket: Socket, event: string) => new Promise<T>((resolve) => socket.once(event, resolve))

/** Sockets of visitors and technicians against a product under test; `close` ends those opened so far. */
export function createChatSockets(product: TestApp) {
  const sockets: Socket[] = []

  function open(namespace: string, headers: Record<string, string> = {}) {
    const socket = io(product.origin + namespace, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: { origin: product.origin, ...headers },
    })
    sockets.push(socket)
    return new Promise<Socket>((resolve, reject) => {
      socket.once('connect', () => resolve(socket))
      socket.once('connect_error', reject)
    })
  }

  async function openTechnician(available = true, rights: Partial<Rights> = { chat: 'read_write' }) {
    const client = await product.signIn(rights)
    const socket = await open('/staff', { cookie: client.cookieHeader() })
    if (available) await ask(socket, 'staff:availability', { available: true })
    return Object.assign(socket, { client })
  }

  async function openVisitor(input: object = {}) {
    const socket = await open('/')
    const places: QueuePlace[] = []
    socket.on('chat:queue', (place: QueuePlace) => places.push(place))
    const { id_chat: key } = await ask<{ id_chat: string }>(socket, 'chat:connect', { ...visitorInput, ...input })
    return { socket, key, place: () => places.at(-1) }
  }

  async function openChat(technician: Socket, input: object = {}) {
    // Consoles receive other chats too: this one is identified by its page.
    const page = `/${crypto.randomUUID()}`
    const pushed = new Promise<StaffChat>((resolve) => {
      technician.on('staff:chat', (chat: StaffChat) => chat.page === page && resolve(chat))
    })
    const visitor = await openVisitor({ page, ...input })
    return { ...visitor, id: (await pushed).id }
  }

  return {
    open,
    openTechnician,
    openVisitor,
    openChat,
    close: () => {
      for (const socket of sockets.splice(0)) socket.disconnect()
    },
  }
}
