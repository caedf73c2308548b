import { io } from 'socket.io-client'
import { WebSocket } from 'ws'
import { becomeAvailable, connected, openTechnician, openVisitor, startConversation, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { memoryOf, startPlain } from './child.ts'
import { printTable } from './table.ts'

const crowds = [50, 2_000]
const seconds = 10
/** What one visitor may send (contract.md: limits per session), so that no figure is one of refusals. */
const messagesEach = 4
const text = 'Bonjour, mon téléphone ne sonne plus depuis ce matin.'

/** One connected client: `send` resolves when its message is acknowledged. */
type Client = { send: () => Promise<void>; close: () => void }
type Subject = { name: string; pid: number; join: (number: number) => Promise<Client>; stop: () => Promise<void> }

/** Connections a gigabyte, acknowledged messages a second and their p99, beside plain ws and plain Socket.IO echoes. */
export async function benchChat() {
  for (const crowd of crowds) {
    const rows = []
    for (const start of [startWs, startSocketIo, startGuichet]) rows.push(await measure(await start(), crowd))
    const [plain] = rows
    printTable(
      `Chat, ${crowd} visitors connected`,
      rows.map((row) => ({
        ...row,
        'ratio of messages': row['acknowledged a second'] / (plain?.['acknowledged a second'] ?? Number.NaN),
      })),
    )
  }
}

async function measure(subject: Subject, crowd: number) {
  const before = memoryOf(subject.pid)
  const clients: Client[] = []
  for (let number = 0; number < crowd; number += 1) clients.push(await subject.join(number))
  const each = (memoryOf(subject.pid) - before) / crowd
  const times: number[] = []
  const begun = performance.now()
  await Promise.all(clients.map((client, number) => talk(client, number / crowd, times)))
  const lasted = (performance.now() - begun) / 1_000
  for (const client of clients) client.close()
  await subject.stop()
  const ordered = times.toSorted((one, other) => one - other)
  const at = (share: number) => ordered[Math.ceil(ordered.length * share) - 1] ?? Number.NaN
  return {
    server: subject.name,
    'connections a GB': 2 ** 30 / Math.max(each, 1),
    'acknowledged a second': times.length / lasted,
    'p50 (ms)': at(0.5),
    'p99 (ms)': at(0.99),
  }
}

/** Sends at an even pace from a moment of its own; where the server is slower than the pace, as fast as it answers. */
async function talk(client: Client, phase: number, times: number[]) {
  const pace = 1_000 / messagesEach
  const first = performance.now() + phase * pace
  for (let index = 0; index < seconds * messagesEach; index += 1) {
    const wait = first + index * pace - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    if (performance.now() - first > seconds * 1_000) return
    const begun = performance.now()
    await client.send()
    times.push(performance.now() - begun)
  }
}

async function startGuichet(): Promise<Subject> {
  const product = await startProduct({ ...trusting })
  const technician = await openTechnician(product.address())
  await becomeAvailable(technician)
  return {
    name: 'Guichet, on disk',
    pid: product.pid(),
    async join(number) {
      const visitor = openVisitor(product.address(), number)
      const idChat = await startConversation(visitor, `Visitor ${number}`)
      return {
        async send() {
          const sent = { id_chat: idChat, message: text, client_message_id: crypto.randomUUID() }
          const answer = await visitor.emitWithAck('chat:send-message', sent)
          if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
        },
        close: () => visitor.close(),
      }
    },
    async stop() {
      technician.close()
      await product.stop()
    },
  }
}

async function startSocketIo(): Promise<Subject> {
  const server = await startPlain('plain-socket-io.ts')
  return {
    ...server,
    name: 'Socket.IO, an echo',
    async join() {
      const socket = io(server.origin, { transports: ['websocket'], forceNew: true })
      await connected(socket)
      return { send: () => socket.emitWithAck('chat:send-message', { message: text }), close: () => socket.close() }
    },
  }
}

async function startWs(): Promise<Subject> {
  const server = await startPlain('plain-ws.ts')
  return {
    ...server,
    name: 'ws, an echo',
    async join() {
      const socket = new WebSocket(server.origin.replace('http', 'ws'))
      await new Promise((resolve) => socket.once('open', resolve))
      return {
        send: () =>
          new Promise<void>((resolve) => {
            socket.once('message', () => resolve())
            socket.send(JSON.stringify({ message: text }))
          }),
        close: () => socket.close(),
      }
    },
  }
}
