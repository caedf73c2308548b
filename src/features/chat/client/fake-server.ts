import { vi } from 'vitest'
import { createVisitorClient } from './visitor-client.ts'
import { createStaffClient } from './staff-client.ts'
import type { ChatError, Io, Link } from './connection.ts'
import type { StoredUnsent, UnsentStorage } from './outbox.ts'

export const key = 'k'.repeat(32)
export const pageSize = 3
type Input = Record<string, unknown>
type Stored = { id_message: number; seq: number; message: string; client_message_id: string | null; id_chat: string; id: number }
/** What the server does to the next request of a kind. */
type Fault = 'lose the request' | 'lose the answer' | { answer: unknown }
export const refuse = (code: string, more: object = {}): Fault => ({
  answer: { ok: false, error: { code, message: code, ...more } },
})

/** One conversation behind sockets that lose, repeat, reorder and refuse messages as configured. */
export class FakeServer {
  messages: Stored[] = []
  requests: [event: string, input: Input][] = []
  faults: [part: string, fault: Fault][] = []
  sockets: FakeSocket[] = []
  isDown = false
  /** The namespace lets nobody in, for this reason. */
  refusal: string | null = null

  io = (() => {
    const socket = new FakeSocket(this)
    this.sockets.push(socket)
    setTimeout(() => socket.connect())
    return socket
  }) as unknown as Io

  /** Stores a message of the server; `push` emits it to the sockets. */
  write(message: string, clientMessageId: string | null = null) {
    const seq = this.messages.length + 1
    const stored = { id_message: 100 + seq, seq, message, client_message_id: clientMessageId, id_chat: key, id: 1 }
    this.messages.push(stored)
    return stored
  }

  push(...messages: unknown[]) {
    for (const socket of this.sockets.filter((one) => one.connected))
      for (const message of messages) {
        socket.fire('chat:new-message', message)
        socket.fire('staff:new-message', message)
      }
  }

  drop(reason = 'transport close') {
    for (const socket of this.sockets) socket.drop(reason)
  }

  handle(event: string, input: Input): unknown {
    if (event.endsWith('send-message') || event.endsWith('note')) {
      const id = input.client_message_id as string
      const known = this.messages.find((one) => one.client_message_id === id)
      return { ok: true, message: known ?? this.write(String(input.message), id) }
    }
    if (event.endsWith('join') || event.endsWith('open')) return { ok: true, ...this.page(input) }
    return { ok: true }
  }

  page({ after_seq: after, before_seq, before_id }: Input) {
    const beforeSeq = (before_seq ?? this.messages.find((one) => one.id_message === before_id)?.seq) as number | undefined
    const isForward = typeof after === 'number' && before_seq === undefined && 'id' in (this.requests.at(-1)?.[1] ?? {})
    const all = this.messages.filter((one) => one.seq > Number(after ?? 0) && one.seq < (beforeSeq ?? Infinity))
    const messages = isForward ? all.slice(0, pageSize) : all.slice(-pageSize)
    return { messages, has_older: (messages[0]?.seq ?? 1) > 1, more: isForward && all.length > pageSize }
  }
}

class FakeSocket {
  connected = false
  active = true
  isClosed = false
  listeners: [event: string, handle: (data: unknown) => void][] = []
  pending = new Set<() => void>()
  io = {
    on: vi.fn(),
    opts: {} as { transports?: string[] },
    timeout: vi.fn(),
    engine: { transport: { name: 'polling' }, close: () => this.drop('transport close') },
  }
  server: FakeServer

  constructor(server: FakeServer) {
    this.server = server
  }
  on(event: string, handle: (data: never) => void) {
    this.listeners.push([event, handle as (data: unknown) => void])
  }
  fire(event: string, data?: unknown) {
    for (const [name, handle] of this.listeners) if (name === event) handle(data)
  }
  connect() {
    if (this.connected || this.isClosed) return
    this.active = !this.server.refusal
    if (this.server.refusal) return this.fire('connect_error', new Error(this.server.refusal))
    if (this.server.isDown) return void setTimeout(() => this.connect(), 1_000)
    this.connected = true
    this.fire('connect')
  }
  disconnect() {
    this.drop('io client disconnect')
    return this
  }
  close() {
    this.drop('io client disconnect')
    this.isClosed = true
    this.active = false
  }
  drop(reason: string) {
    if (!this.connected) return
    this.connected = false
    for (const fail of this.pending) fail()
    this.pending.clear()
    this.fire('disconnect', reason)
    if (reason.startsWith('transport')) setTimeout(() => this.connect(), 1_000)
  }
  timeout(ms: number) {
    return {
      emitWithAck: (event: string, input: Input) =>
        new Promise((resolve, reject) => {
          const fail = () => reject(new Error('no answer'))
          this.pending.add(fail)
          setTimeout(fail, ms)
          const { server } = this
          server.requests.push([event, input])
          const at = server.faults.findIndex(([part]) => event.includes(part))
          const [, fault] = at === -1 ? [] : (server.faults.splice(at, 1)[0] ?? [])
          if (fault === 'lose the request') return
          const answer = typeof fault === 'object' ? fault.answer : server.handle(event, input)
          if (fault !== 'lose the answer') setTimeout(() => this.pending.delete(fail) && resolve(answer), 5)
        }),
    }
  }
}

export function createStorage(): UnsentStorage & { all: Map<string, StoredUnsent> } {
  const all = new Map<string, StoredUnsent>()
  return {
    all,
    put: async (one) => Boolean(all.set(one.client_message_id, one)),
    update: async (one) => all.has(one.client_message_id) && all.set(one.client_message_id, one),
    delete: async (id) => void all.delete(id),
    readAll: async () => [...all.values()],
  }
}

export function createHooks() {
  const recorded = { links: [] as Link[], opened: 0, openErrors: [] as string[], refusals: [] as ChatError[] }
  return {
    recorded,
    hooks: {
      onLink: (link: Link) => void recorded.links.push(link),
      onOpened: () => Boolean((recorded.opened += 1)),
      onOpenFailed: (_id: unknown, error: ChatError) => void recorded.openErrors.push(error.code),
      onSendRefused: (_id: unknown, error: ChatError) => void recorded.refusals.push(error),
    },
  }
}

/** The same behaviour whichever side uses the client. */
export const sides = [
  {
    name: 'a visitor',
    create(server: FakeServer, storage = createStorage()) {
      const { recorded, hooks } = createHooks()
      const client = createVisitorClient({ loadIo: () => server.io, hooks, storage })
      return {
        ...recordedOf(client, key, recorded),
        start: async (isNew = false) => {
          client.start()
          void client.open(key, { isNew })
          await settle()
        },
        send: (text: string) => client.send(key, text),
        retry: () => client.retry(key),
        loadOlder: () => client.loadOlder(key),
        markRead: (seq: number) => client.markRead(key, seq),
        typing: () => client.typing(key),
        takeBack: () => client.takeBack(key),
        stop: client.stop,
        findStored: client.findStored,
      }
    },
  },
  {
    name: 'a technician',
    create(server: FakeServer, storage = createStorage(), userId = 7) {
      const { recorded, hooks } = createHooks()
      const client = createStaffClient(userId, { loadIo: () => server.io, hooks, storage })
      return {
        ...recordedOf(client, 1, recorded),
        start: async (isNew = false) => {
          client.start()
          void client.open(1, { isNew })
          await settle()
        },
        send: (text: string) => client.send(1, text),
        retry: () => client.retry(1),
        loadOlder: () => client.loadOlder(1),
        markRead: (seq: number) => client.markRead(1, seq),
        typing: () => client.typing(1),
        takeBack: () => client.takeBack(1),
        stop: client.stop,
        findStored: client.findStored,
      }
    },
  },
]

type Shown = { messages: readonly { message: string }[]; unsent: readonly { message: string; state: string }[]; older: string }
function recordedOf<Id>(
  client: { conversation: (id: Id) => Shown & { hasOlder: boolean } },
  id: Id,
  recorded: ReturnType<typeof createHooks>['recorded'],
) {
  return {
    recorded,
    texts: () => client.conversation(id).messages.map((one) => one.message),
    unsent: () => client.conversation(id).unsent.map((one) => `${one.message} ${one.state}`),
    shown: () => client.conversation(id),
  }
}

export const settle = (ms = 100) => vi.advanceTimersByTimeAsync(ms)
export const sent = (server: FakeServer) => server.messages.map((one) => one.message)
