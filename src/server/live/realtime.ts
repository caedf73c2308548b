import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'
import type { Socket } from 'socket.io'
import { Server } from 'socket.io'
import { proxyTrust } from '../http/addresses.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Config } from '../config.ts'
import { createOpenCounter } from '../http/open-counter.ts'
import type { Metrics } from '../observability/metrics.ts'

/**
 * A network that dies without closing is noticed by both sides within 9.5 seconds. A short interval leaves most of them for
 * the response: slow mobile networks and busy machines take seconds.
 */
const heartbeat = { pingInterval: 3_000, pingTimeout: 6_500 }

/** One Socket.IO server; features add their namespaces and events. */
export function createRealtime(
  server: HttpServer,
  config: Pick<Config, 'publicUrl' | 'apiUrl' | 'chatUrl' | 'trustProxy' | 'maxSocketsPerAddress'>,
  { adapter }: Pick<Cluster, 'adapter'>,
  metrics: Pick<Metrics, 'refused'>,
) {
  const trust = proxyTrust(config.trustProxy)
  const counter = createOpenCounter(config.maxSocketsPerAddress, () => metrics.refused('sockets_per_address'))
  /** Releases the place of a handshake, until its connection is established. */
  const places = new WeakMap<IncomingMessage, () => void>()
  const takePlace = (request: IncomingMessage) => {
    const release = counter.take(proxyaddr(request, trust))
    if (!release) return false
    places.set(request, release)
    request.socket.once('close', release)
    if (request.socket.destroyed) release()
    return true
  }
  let findOrigins: () => Promise<readonly string[]> = () => Promise.resolve([])
  const isOwn = ({ headers: { origin, host } }: IncomingMessage) =>
    // Browsers always send an origin; a client without one has no ambient cookies.
    origin === undefined || [`http://${host}`, `https://${host}`, config.publicUrl, config.chatUrl].includes(origin)
  const isAllowed = async (request: IncomingMessage) => {
    if (isOwn(request)) return true
    const origins = await findOrigins().catch((): readonly string[] => [])
    return origins.includes(String(request.headers.origin))
  }
  const io = new Server(server, {
    ...(adapter ? { adapter } : {}),
    // Long polling for networks that block WebSockets; with several instances the proxy needs a sticky cookie.
    transports: ['websocket', 'polling'],
    cors: ({ headers }, callback) => {
      const origin = String(headers.origin)
      // The console is a page of ours whose session is here; visitors on other sites chat without cookies.
      const isSibling = config.apiUrl !== undefined && origin === config.publicUrl
      if (isSibling) return callback(null, { origin, credentials: true })
      findOrigins().then(
        (origins) => callback(null, { origin: origins.includes(origin) }),
        (error: unknown) => callback(error instanceof Error ? error : new Error('the allowed origins could not be read')),
      )
    },
    // Compression would take 274 MB for 1,000 clients.
    perMessageDeflate: false,
    maxHttpBufferSize: 64 * 1024,
    serveClient: false,
    ...heartbeat,
    // Only handshakes: later long-polling requests belong to a counted connection.
    allowRequest: (request, callback) => {
      const hasPlace = takePlace(request)
      if (!hasPlace && request.headers.upgrade !== undefined) refuseUpgrade(request, '429 Too Many Requests')
      callback(hasPlace ? null : 'too many connections from this address', hasPlace)
    },
  })
  // Not in `allowRequest`, which runs for the handshake only, not for later long-polling requests.
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const isUpgrade = request.headers.upgrade !== undefined
    if (!isUpgrade) response.setHeader('x-content-type-options', 'nosniff')
    void isAllowed(request).then((allowed) => {
      if (allowed) next()
      else if (isUpgrade) refuseUpgrade(request, '403 Forbidden')
      else response.writeHead(403).end()
    })
  })
  io.engine.on('connection', (connection: { request: IncomingMessage; once: (event: 'close', listener: () => void) => void }) => {
    const { request } = connection
    const release = places.get(request)
    if (!release) return
    // One HTTP connection may carry requests of several.
    request.socket.off('close', release)
    connection.once('close', release)
  })
  return {
    io,
    /** The address a socket comes from, by the same trust in proxies as the HTTP side. */
    addressOf: (socket: Socket) => proxyaddr(socket.request, trust),
    /** Allows pages of these sites to connect; check `isOwnPage` for events that are not for them. */
    allowOrigins(find: typeof findOrigins) {
      findOrigins = find
    },
    /** Whether a socket was opened by a page of the product itself. */
    isOwnPage: (socket: Socket) => isOwn(socket.request),
    /** Disconnects every socket of this instance and lets the HTTP server close. */
    stop() {
      io.local.disconnectSockets(true)
      io.engine.close()
    },
  }
}

/** Writes the response to a handshake: the library would always send 400. */
function refuseUpgrade({ socket }: IncomingMessage, status: string) {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

export type Realtime = ReturnType<typeof createRealtime>
