import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import type { ChatMessage, StaffRequests, StaffEvents, VisitorRequests, VisitorEvents } from '../src/features/chat/protocol.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { administrator } from '../e2e/product.ts'

export type VisitorConnection = Socket<VisitorEvents, VisitorRequests>
export type StaffConnection = Socket<StaffEvents, StaffRequests>

/** Trusts one proxy, so that each client can have an address of its own. */
export const trusting = { TRUST_PROXY: '1' }

const quickReturn = { transports: ['websocket'], reconnectionDelay: 100, reconnectionDelayMax: 500, forceNew: true }

/** An address of the block reserved for benchmarks (RFC 2544), one per number. */
export const addressOf = (number: number) => `198.18.${(number >> 8) & 255}.${number & 255}`

export function openVisitor(origin: string, number: number, options: object = {}): VisitorConnection {
  return io(origin, { ...quickReturn, extraHeaders: { 'x-forwarded-for': addressOf(number) }, ...options })
}

/** Signs in over HTTP and opens the technicians' namespace with that session. */
export async function openTechnician(origin: string, credentials = administrator, number = 0): Promise<StaffConnection> {
  const client = await createTestClient(origin).arrive()
  const headers = { 'x-forwarded-for': addressOf(number) }
  const { status, text } = await client.post('/api/auth/login', credentials, { headers })
  if (status !== 200) throw new Error(`sign-in refused: ${text}`)
  const socket: StaffConnection = io(`${origin}/staff`, {
    ...quickReturn,
    extraHeaders: { ...headers, cookie: client.cookieHeader() },
  })
  await connected(socket)
  return socket
}

export async function becomeAvailable(technician: StaffConnection) {
  const answer = await technician.emitWithAck('staff:availability', { available: true })
  if (!answer.ok) throw new Error(answer.error.message)
}

/** Reconnects after the server disconnected it, as the widget and the console do. */
export function returning<S extends Pick<Socket, 'on' | 'connect'>>(socket: S): S {
  socket.on('disconnect', (reason: string) => {
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 100)
  })
  return socket
}

export function connected(socket: Pick<Socket, 'connected' | 'once'>) {
  return socket.connected ? Promise.resolve() : new Promise<void>((resolve) => socket.once('connect', () => resolve()))
}

/** Starts a conversation; returns the visitor's key. */
export async function startConversation(visitor: VisitorConnection, name: string) {
  await connected(visitor)
  const answer = await visitor.emitWithAck('chat:connect', {
    client_name: name,
    client_email: `${name.toLowerCase().replaceAll(/\W+/g, '.')}@example.com`,
    client_business: '',
  })
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer.id_chat
}

/** Sends one message until it is acknowledged, as the widget does: the same `client_message_id` at each attempt. */
export async function sendUntilAcknowledged(visitor: VisitorConnection, idChat: string, message: string, timeoutMs = 2_000) {
  const sent = { id_chat: idChat, message, client_message_id: crypto.randomUUID() }
  for (let attempts = 1; ; attempts += 1) {
    await connected(visitor)
    const answer = await visitor
      .timeout(timeoutMs)
      .emitWithAck('chat:send-message', sent)
      .catch(() => null)
    if (answer?.ok) return { ...answer.message, attempts }
    // Messages fail while the database restarts.
    if (answer && !['limited', 'broken'].includes(answer.error.code))
      throw new Error(`${answer.error.code}: ${answer.error.message}`)
    if (answer) await pause(200)
  }
}

/** The whole conversation as stored, asked for until it is answered: a socket that closes meanwhile answers nothing. */
export async function readConversation(visitor: VisitorConnection, idChat: string, timeoutMs = 5_000): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = []
  for (;;) {
    await connected(visitor)
    const before = messages[0] ? { before_seq: messages[0].seq } : {}
    const answer = await visitor
      .timeout(timeoutMs)
      .emitWithAck('chat:client-join', { id_chat: idChat, ...before })
      .catch(() => null)
    if (answer && !answer.ok && !['limited', 'broken'].includes(answer.error.code)) throw new Error(answer.error.message)
    if (!answer?.ok) {
      if (answer) await pause(200)
      continue
    }
    messages.unshift(...answer.messages)
    if (!answer.has_older) return messages
  }
}

export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** The same for the technician; returns the sequence number. */
export async function answerUntilAcknowledged(technician: StaffConnection, id: number, message: string, timeoutMs = 2_000) {
  const sent = { id, message, client_message_id: crypto.randomUUID() }
  for (;;) {
    await connected(technician)
    const answer = await technician
      .timeout(timeoutMs)
      .emitWithAck('staff:send-message', sent)
      .catch(() => null)
    if (answer?.ok) return answer.message.seq
    if (answer && !['limited', 'broken'].includes(answer.error.code))
      throw new Error(`${answer.error.code}: ${answer.error.message}`)
    if (answer) await pause(200)
  }
}
