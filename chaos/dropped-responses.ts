import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { startProduct } from '../e2e/product.ts'
import {
  addressOf,
  becomeAvailable,
  openTechnician,
  openVisitor,
  readConversation,
  sendUntilAcknowledged,
  startConversation,
  trusting,
} from './clients.ts'
import type { Row } from './row.ts'

const messages = 1_000
const conversations = 20
/** An acknowledgment of Socket.IO's protocol: engine.io message 4, packet 3, its number. */
const acknowledgment = /^43\d+\[/

export const droppedResponses: Row = {
  name: 'answers',
  fault: `${messages} acknowledgments dropped between server and client`,
  async run() {
    const product = await startProduct({ ...trusting })
    const technician = await openTechnician(product.address())
    await becomeAvailable(technician)
    const lossy = await startLossyProxy(product.address())

    const each = messages / conversations
    const talk = async (number: number) => {
      const visitor = openVisitor(lossy.address, number)
      const idChat = await startConversation(visitor, `Visitor ${number}`)
      let attempts = 0
      for (let index = 0; index < each; index += 1) {
        lossy.dropNext(number)
        attempts += (await sendUntilAcknowledged(visitor, idChat, `${number}/${index}`, 300)).attempts
      }
      const stored = await readConversation(visitor, idChat)
      visitor.close()
      return { attempts, rows: stored.length, distinct: new Set(stored.map(({ message }) => message)).size }
    }
    const talked = await Promise.all(Array.from({ length: conversations }, (_, number) => talk(number)))
    const sum = (of: 'attempts' | 'rows' | 'distinct') => talked.reduce((total, one) => total + one[of], 0)
    technician.close()
    await lossy.stop()
    await product.stop()
    return {
      good: lossy.dropped() === messages && sum('rows') === messages && sum('distinct') === messages,
      figures: { 'answers dropped': lossy.dropped(), attempts: sum('attempts'), rows: sum('rows'), distinct: sum('distinct') },
    }
  },
}

/** A proxy that forwards every frame except the next acknowledgment to a chosen client. */
async function startLossyProxy(target: string) {
  const due = new Set<string>()
  let dropped = 0
  const http = createServer()
  const server = new WebSocketServer({ server: http })
  server.on('connection', (client, request) => {
    const from = String(request.headers['x-forwarded-for'])
    const upstream = new WebSocket(target.replace('http', 'ws') + request.url, { headers: { 'x-forwarded-for': from } })
    const early: string[] = []
    client.on('message', (data) => {
      if (upstream.readyState === WebSocket.OPEN) upstream.send(String(data))
      else early.push(String(data))
    })
    upstream.on('open', () => early.forEach((frame) => upstream.send(frame)))
    upstream.on('message', (data) => {
      const frame = String(data)
      if (acknowledgment.test(frame) && due.delete(from)) dropped += 1
      else client.send(frame)
    })
    upstream.on('close', () => client.close())
    client.on('close', () => upstream.close())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    dropNext: (number: number) => due.add(addressOf(number)),
    dropped: () => dropped,
    stop: () => new Promise<void>((resolve) => http.close(() => resolve())),
  }
}
