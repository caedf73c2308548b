import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import { WebSocket } from 'ws'
import { becomeAvailable, connected, openTechnician, openVisitor, pause, startConversation, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { startPlain } from './child.ts'

const text = 'Bonjour, mon téléphone ne sonne plus depuis ce matin.'
const patience = 15_000

/** What became of one attempt: `again` where no answer came, by a lost connection or in time. */
type Outcome = 'acknowledged' | 'again' | 'refused'
export type Client = { send: (id: string) => Promise<Outcome>; disconnects: () => number; close: () => void }
export type Subject = { name: string; pid: number; join: (number: number) => Promise<Client>; stop: () => Promise<void> }

export async function startGuichet(database: string, url?: string): Promise<Subject> {
  const product = await startProduct({ ...trusting, ...(url ? { DATABASE_URL: url } : {}) })
  const technician = await openTechnician(product.address())
  await becomeAvailable(technician)
  return {
    name: `Guichet, ${database} on disk`,
    pid: product.pid(),
    async join(number) {
      const visitor = openVisitor(product.address(), number)
      const idChat = await startConversation(visitor, `Visitor ${number}`)
      return clientOf(visitor, (id) => ({ id_chat: idChat, message: text, client_message_id: id }))
    },
    async stop() {
      technician.close()
      await product.stop()
    },
  }
}

export async function startSocketIo(): Promise<Subject> {
  const server = await startPlain('plain-socket-io.ts')
  return {
    ...server,
    name: 'Socket.IO, an echo',
    async join() {
      const socket = io(server.origin, { transports: ['websocket'], forceNew: true })
      await connected(socket)
      return clientOf(socket, (id) => ({ message: text, id }))
    },
  }
}

type Answer = { ok: true } | { ok: false; error: { code: string } }

function clientOf(socket: Pick<Socket, 'connected' | 'timeout' | 'on' | 'once' | 'close'>, say: (id: string) => object): Client {
  let lost = 0
  socket.on('disconnect', () => (lost += 1))
  return {
    async send(id) {
      const back = await Promise.race([connected(socket), pause(patience).then(() => 'late')])
      if (back) return 'again'
      const answer = await socket
        .timeout(patience)
        .emitWithAck('chat:send-message', say(id))
        .catch(() => null)
      if (!answer) return 'again'
      if ((answer as Answer).ok) return 'acknowledged'
      await pause(200)
      return 'refused'
    },
    disconnects: () => lost,
    close: () => socket.close(),
  }
}

export async function startWs(): Promise<Subject> {
  const server = await startPlain('plain-ws.ts')
  return {
    ...server,
    name: 'ws, an echo',
    async join() {
      const socket = new WebSocket(server.origin.replace('http', 'ws'))
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      let lost = 0
      socket.on('close', () => (lost += 1))
      return {
        send: (id) =>
          new Promise<Outcome>((resolve) => {
            if (socket.readyState !== WebSocket.OPEN) resolve('again')
            const late = setTimeout(() => resolve('again'), patience)
            socket.once('message', () => {
              clearTimeout(late)
              resolve('acknowledged')
            })
            socket.send(JSON.stringify({ message: text, id }))
          }),
        disconnects: () => lost,
        close: () => socket.close(),
      }
    },
  }
}
