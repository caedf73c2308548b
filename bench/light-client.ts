import { once } from 'node:events'
import { WebSocket } from 'ws'
import { pause } from '../chaos/clients.ts'

/** The packets of Engine.IO 4 and Socket.IO 5 that a sender meets. */
const packet = { ping: '2', pong: '3', connect: '40', event: '42', acknowledgement: '43' }

/**
 * The least of Socket.IO's protocol that one who sends and waits for the answer needs. Thousands of the real client in
 * one process take more of the machine than the server they measure.
 */
export async function openLight(origin: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, { headers })
  const waiting = new Map<number, (answer: unknown) => void>()
  const joined = Promise.withResolvers<void>()
  let last = 0
  let disconnects = 0
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    if (text.startsWith(packet.acknowledgement)) {
      const begin = text.indexOf('[')
      const number = Number(text.slice(packet.acknowledgement.length, begin))
      waiting.get(number)?.((JSON.parse(text.slice(begin)) as unknown[])[0])
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
    /** Answers null where no acknowledgement came, because of the time or a lost connection. */
    async ask(event: string, data: object, patience: number): Promise<unknown> {
      if (socket.readyState !== WebSocket.OPEN) return pause(200).then(() => null)
      last += 1
      const number = last
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const late = setTimeout(() => resolve(null), patience)
      waiting.set(number, resolve)
      socket.send(`${packet.event}${number}${JSON.stringify([event, data])}`)
      const answer = await promise
      clearTimeout(late)
      waiting.delete(number)
      return answer
    },
  }
}
