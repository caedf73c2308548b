import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns a function that closes idle connections, and the others after their response. Node's own close leaves connections open
 * on which no request has arrived yet: one preconnected browser would delay the stop until the process is killed.
 */
export function createConnectionEnd(server: Server) {
  /** Requests in progress by connection. */
  const open = new Map<Socket, number>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy()
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.set(socket, (open.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const requests = open.get(socket)
      // The connection was closed before the response.
      if (requests === undefined) return
      open.set(socket, requests - 1)
      if (isClosing && requests === 1) socket.destroySoon()
    })
  })
  return () => {
    isClosing = true
    for (const [socket, requests] of open) if (requests === 0) socket.destroySoon()
  }
}
