import type { Server as HttpServer, IncomingMessage } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'
import type { Socket } from 'socket.io'
import { Server } from 'socket.io'
import { proxyTrust } from '../http/addresses.ts'
import type { Cluster } from '../instances/cluster.ts'
import type { Config } from '../config.ts'

/** One Socket.IO server; features add their namespaces and events. */
export function createRealtime(
  server: HttpServer,
  config: Pick<Config, 'publicUrl' | 'chatUrl' | 'trustProxy'>,
  { adapter }: Pick<Cluster, 'adapter'>,
) {
  let findOrigins: () => Promise<readonly string[]> = () => Promise.resolve([])
  const isOwn = ({ headers: { origin, host } }: IncomingMessage) =>
    // A browser always names its origin; a client that is no browser carries nobody's cookies.
    origin === undefined || [`http://${host}`, `https://${host}`, config.publicUrl, config.chatUrl].includes(origin)
  const io = new Server(server, {
    ...(adapter ? { adapter } : {}),
    // No other: the requests of a long poll would have to find their way back to the same instance.
    transports: ['websocket'],
    // 274 MB for 1,000 clients otherwise.
    perMessageDeflate: false,
    maxHttpBufferSize: 64 * 1024,
    serveClient: false,
    pingInterval: 20_000,
    pingTimeout: 15_000,
    allowRequest: (request, callback) => {
      const decide = (isAllowed: boolean) => {
        if (!isAllowed) refuseUpgrade(request, '403 Forbidden')
        callback(null, isAllowed)
      }
      if (isOwn(request)) return decide(true)
      findOrigins().then(
        (origins) => decide(origins.includes(String(request.headers.origin))),
        () => decide(false),
      )
    },
  })
  const trust = proxyTrust(config.trustProxy)
  return {
    io,
    /** The address a socket comes from, by the same trust in proxies as the HTTP side. */
    addressOf: (socket: Socket) => proxyaddr(socket.request, trust),
    /** Sites whose pages may connect too; what is not for them asks `isOwnPage`. */
    allowOrigins(find: typeof findOrigins) {
      findOrigins = find
    },
    /** Whether a socket was opened by a page of the product itself. */
    isOwnPage: (socket: Socket) => isOwn(socket.request),
    /** Tells every socket of this instance to come back later and lets the HTTP server close. */
    stop() {
      io.local.disconnectSockets(true)
      io.engine.close()
    },
  }
}

/** Answers a handshake by ourselves: whatever the reason, the library would say 400. */
function refuseUpgrade({ headers, socket }: IncomingMessage, status: string) {
  if (headers.upgrade !== undefined) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

export type Realtime = ReturnType<typeof createRealtime>
