import type { Server as HttpServer } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'
import type { Socket } from 'socket.io'
import { Server } from 'socket.io'
import type { Config } from './config.ts'

/** One Socket.IO server; features add their namespaces and events. */
export function createRealtime(server: HttpServer, config: Pick<Config, 'publicUrl' | 'chatUrl' | 'trustProxy'>) {
  const io = new Server(server, {
    transports: ['websocket'],
    // 274 MB for 1,000 clients otherwise.
    perMessageDeflate: false,
    maxHttpBufferSize: 64 * 1024,
    serveClient: false,
    pingInterval: 20_000,
    pingTimeout: 15_000,
    allowRequest: (request, callback) => {
      const { origin, host } = request.headers
      const allowed = [`http://${host}`, `https://${host}`, config.publicUrl, config.chatUrl && new URL(config.chatUrl).origin]
      // A browser always names its origin; a client that is no browser carries nobody's cookies.
      callback(null, origin === undefined || allowed.includes(origin))
    },
  })
  const trust =
    typeof config.trustProxy === 'string' ? proxyaddr.compile(config.trustProxy.split(/[ ,]+/)) : hopsTrust(config.trustProxy)
  return {
    io,
    /** The address a socket comes from, by the same trust in proxies as the HTTP side. */
    addressOf: (socket: Socket) => proxyaddr(socket.request, trust),
    /** Tells every socket to come back later and lets the HTTP server close. */
    stop() {
      io.disconnectSockets(true)
      io.engine.close()
    },
  }
}

export type Realtime = ReturnType<typeof createRealtime>

function hopsTrust(setting: boolean | number) {
  return (_address: string, hop: number) => (typeof setting === 'number' ? hop < setting : setting)
}
