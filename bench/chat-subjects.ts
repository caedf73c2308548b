import { WebSocket } from 'ws'
import { addressOf, becomeAvailable, openTechnician, pause, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { startPlain } from './child.ts'
import { openLight } from './light-client.ts'

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
      const visitor = await openLight(product.address(), { 'x-forwarded-for': addressOf(number) })
      const who = { client_name: `Visitor ${number}`, client_email: `visitor.${number}@example.com`, client_business: '' }
      const answer = (await visitor.ask('chat:connect', who, patience)) as Answer | null
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

function clientOf(socket: Awaited<ReturnType<typeof openLight>>, say: (id: string) => object): Client {
  return {
    async send(id) {
      const answer = (await socket.ask('chat:send-message', say(id), patience)) as Answer | null
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
