import { io } from 'socket.io-client'
import type { Io } from '../../src/features/chat/client/connection.ts'
import type { UnsentStorage } from '../../src/features/chat/client/outbox.ts'
import type { World } from './world.ts'

/*
 * The product's own chat clients in this process, over a network that drops and repeats frames. They expect the globals of a
 * browser.
 */

Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true })
globalThis.addEventListener ??= () => undefined
globalThis.removeEventListener ??= () => undefined

/** One in so many frames meets the fault, in turn. */
const faultyEvery = 3
/** Of Engine.IO: a packet with a message; without the others there is no connection. */
const messagePacket = '4'

type Transport = { ws?: { send: (data: unknown, ...rest: unknown[]) => void }; onData: (data: unknown) => void }

/** Socket.IO as the clients load it; `origin` and `headers` are read at each start of a connection. */
export function openSockets({ frames }: World, origin: () => string, headers: Record<string, string>): Io {
  let turn = 0
  const times = (data: unknown) => {
    if (!frames.fault || typeof data !== 'string' || !data.startsWith(messagePacket)) return 1
    turn += 1
    return turn % faultyEvery > 0 ? 1 : frames.fault === 'dropped' ? 0 : 2
  }
  const open = (address: string, options: object) => {
    const socket = io(origin() + address, { ...options, extraHeaders: headers, forceNew: true })
    socket.io.on('open', () => {
      const transport = socket.io.engine.transport as unknown as Transport
      const { ws } = transport
      if (!ws) return
      const send = ws.send.bind(ws)
      ws.send = (data, ...rest) => {
        for (let copy = times(data); copy > 0; copy -= 1) send(data, ...rest)
      }
      const receive = transport.onData.bind(transport)
      transport.onData = (data) => {
        for (let copy = times(data); copy > 0; copy -= 1) receive(data)
      }
    })
    return socket
  }
  return open as unknown as Io
}

/** A device without storage: unsent texts live as long as its page. */
export const noStorage: UnsentStorage = {
  put: async () => true,
  update: async () => undefined,
  delete: async () => undefined,
  readAll: async () => [],
}
