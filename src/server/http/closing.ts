import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns what ends each connection on which no request is being answered, and the others after their response. Node only ends
 * those that are between two requests: one that a browser opened in advance would hold the stop up until the process is killed.
 */
export function createConnectionEnd(server: Server) {
  /** How many requests are being answered on each open connection. */
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
      // It was closed before the response.
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
