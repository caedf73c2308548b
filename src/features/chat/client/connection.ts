import type { Socket } from 'socket.io-client'

/** A WebSocket that a network holds back says nothing: long polling takes over within five seconds. */
const webSocketTimeout = 3_000
const pollingTimeout = 8_000

/** How a socket is opened that falls back. */
export const firstTransport = { transports: ['websocket'], timeout: webSocketTimeout }

/**
 * Tries long polling and WebSocket in turn until one stands; a poll upgrades itself where WebSockets are let through
 * after all. `onUnreachable` is called each time both failed.
 */
export function fallBackToPolling(
  socket: Pick<Socket, 'on' | 'connected' | 'active' | 'disconnect' | 'io'>,
  onUnreachable?: () => void,
) {
  const { io: manager } = socket
  let failures = 0
  socket.on('connect', () => {
    failures = 0
  })
  manager.on('error', () => {
    // A network that is away is waited for.
    if (!navigator.onLine || !socket.active) return
    failures += 1
    const isPolling = failures % 2 === 1
    manager.opts.transports = isPolling ? ['polling', 'websocket'] : ['websocket']
    manager.timeout(isPolling ? pollingTimeout : webSocketTimeout)
    // After the library has planned its own next try.
    if (failures === 1) setTimeout(() => socket.active && !socket.connected && socket.disconnect().connect())
    else onUnreachable?.()
  })
}

/** How a socket comes back, in milliseconds; the chance in it spreads a crowd over the seconds after a restart. */
export const comeBack = { reconnectionDelay: 1_000, reconnectionDelayMax: 5_000 }

/** When to come back to a server that said goodbye because it restarts: the library takes that for a farewell. */
export function comeBackDelay() {
  const { reconnectionDelay, reconnectionDelayMax } = comeBack
  return reconnectionDelay + Math.random() * (reconnectionDelayMax - reconnectionDelay)
}
