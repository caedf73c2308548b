import { once } from 'node:events'
import { WebSocket } from 'ws'
import { addressOf, becomeAvailable, openTechnician, pause, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { startPlain } from './child.ts'

const text = 'Bonjour, mon téléphone ne sonne plus depuis ce matin.'
const timeoutMs = 15_000

/** Outcome of one attempt; `again`: no response, because of a lost connection or a timeout. */
type Outcome = 'acknowledged' | 'again' | 'refused'
export type Client = { send: (id: string) => Promise<Outcome>; disconnects: () => number; close: () => void }
export type Subject = { name: string; pid: number; join: (number: number) => Promise<Client>; stop: () => Promise<void> }

export async function startGuichet(database: string, url?: string): Promise<Subject> {
  // One database for several runs: it is bound to the secret of the first.
  const shared: Record<string, string> = url ? { DATABASE_URL: url, SESSION_SECRET: 'b'.repeat(64) } : {}
  const product = await startProduct({ ...trusting, ...shared })
  const technician = await openTechnician(product.address())
  await becomeAvailable(technician)
  return {
    name: `Guichet, ${database} on disk`,
    pid: product.pid(),
    async join(number) {
      const visitor = await openLight(product.address(), { 'x-forwarded-for': addressOf(number) })
      const visitorDetails = {
        client_name: `Visitor ${number}`,
        client_email: `visitor.${number}@example.com`,
        client_business: '',
      }
      const answer = (await visitor.ask('chat:connect', visitorDetails, timeoutMs)) as Answer | null
      if (!answer?.ok) throw new Error(`no conversation: ${JSON.stringify(answer)}`)
      return clientOf(visitor, (id) => ({ id_chat: answer.id_chat, message: text, client_message_id: id }))
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
      return clientOf(await openLight(server.origin), (id) => ({ message: text, id }))
    },
  }
}

type Answer = { ok: true; id_chat?: string } | { ok: false; error: { code: string; message: string } }

function clientOf(socket: Awaited<ReturnType<typeof openLight>>, toMessage: (id: string) => object): Client {
  return {
    async send(id) {
      const answer = (await socket.ask('chat:send-message', toMessage(id), timeoutMs)) as Answer | null
      if (!answer) return 'again'
      if (answer.ok) return 'acknowledged'
      await pause(200)
      return 'refused'
    },
    disconnects: socket.disconnects,
    close: socket.close,
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
            const late = setTimeout(() => resolve('again'), timeoutMs)
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

/** Packets of Engine.IO 4 and Socket.IO 5 that a sender needs. */
const packet = { ping: '2', pong: '3', connect: '40', event: '42', acknowledgment: '43' }

/**
 * A minimal Socket.IO client that sends and waits for acknowledgments. Thousands of real clients in one process would use more
 * of the machine than the server they measure.
 */
async function openLight(origin: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, { headers })
  const waiting = new Map<number, (answer: unknown) => void>()
  const joined = Promise.withResolvers<void>()
  let last = 0
  let disconnects = 0
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    if (text.startsWith(packet.acknowledgment)) {
      const start = text.indexOf('[')
      const number = Number(text.slice(packet.acknowledgment.length, start))
      waiting.get(number)?.((JSON.parse(text.slice(start)) as unknown[])[0])
      waiting.delete(number)
    } else if (text === packet.ping) socket.send(packet.pong)
    else if (text.startsWith(packet.connect)) joined.resolve()
  })
  socket.on('error', joined.reject)
  socket.on('close', () => {
    disconnects += 1
    for (const answer of waiting.values()) answer(null)
  })
  await once(socket, 'open')
  socket.send(packet.connect)
  await joined.promise

  return {
    disconnects: () => disconnects,
    close: () => socket.close(),
    /** Resolves to null without an acknowledgment, after a timeout or a lost connection. */
    async ask(event: string, data: object, timeoutMs: number): Promise<unknown> {
      if (socket.readyState !== WebSocket.OPEN) return pause(200).then(() => null)
      last += 1
      const number = last
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const late = setTimeout(() => resolve(null), timeoutMs)
      waiting.set(number, resolve)
      socket.send(`${packet.event}${number}${JSON.stringify([event, data])}`)
      const answer = await promise
      clearTimeout(late)
      waiting.delete(number)
      return answer
    },
  }
}
