import type { io, Socket } from 'socket.io-client'
import type { AnyProtocol, ChatAnswer, ChatErrorCode, ChatFailure } from '../protocol.ts'

export type Io = typeof io

/**
 * `connecting`: for the first time. `lost`: it failed or dropped, and is tried again. `offline`: the browser reports that
 * there is no network.
 */
export type Link = 'connecting' | 'up' | 'lost' | 'offline'

/** The server refused, or did not answer (`silent`): then nobody knows whether it did what was asked. */
export class ChatError extends Error {
  readonly code: ChatErrorCode | 'silent'
  /** After a limit: seconds to wait. */
  readonly wait: number
  /** The colleague because of whom it was refused; empty where there is none. */
  readonly userName: string
  /** Of an invalid payload: the names of its refused fields. */
  readonly fields: readonly string[]

  constructor(code: ChatErrorCode | 'silent', { wait = 0, userName = '', fields = [] as readonly string[] } = {}) {
    super(code)
    this.code = code
    this.wait = wait
    this.userName = userName
    this.fields = fields
  }
}

/** A network that blocks WebSockets may do so silently: long polling takes over within five seconds. */
const webSocketTimeout = 3_000
const pollingTimeout = 8_000
/** A WebSocket that drops sooner was probably cut by the network; after two of those it is not tried again. */
const shortLife = 5_000
const mostCuts = 2
const ackTimeout = 8_000

/** In milliseconds. The random delay spreads all clients over the seconds after a restart of the server. */
export const reconnection = { reconnectionDelay: 1_000, reconnectionDelayMax: 5_000 }

/** socket.io-client does not reconnect after a server-side disconnect, so we do. */
export function reconnectDelay() {
  const { reconnectionDelay, reconnectionDelayMax } = reconnection
  return reconnectionDelay + Math.random() * (reconnectionDelayMax - reconnectionDelay)
}

type ConnectionOptions = {
  /** The library; loaded on demand where a page does without it. */
  loadIo: () => Io | Promise<Io>
  /** Host and namespace; a function, because the page may not be there yet. */
  address: () => string
  /** Whether long polling sends the session, which WebSockets always do. */
  withCredentials: boolean
  /** `refusal`: why the server does not let this client in. */
  onLink: (link: Link, refusal: ChatErrorCode | null) => void
  /** Neither WebSocket nor long polling came about; the tries go on. */
  onUnreachable?: (() => void) | undefined
}

/**
 * One socket to one namespace, which reconnects by itself until `stop`. What a client sends while it is down is refused
 * at once (`silent`): the library would buffer it and send it out of order.
 */
export function createConnection<P extends AnyProtocol>({
  loadIo,
  address,
  withCredentials,
  onLink,
  onUnreachable,
}: ConnectionOptions) {
  const handlers: [event: string, handle: (data: never) => void][] = []
  let socket: Socket | null = null
  /** How many WebSockets of this page the network cut. */
  const network = { cuts: 0 }
  let end = () => {}
  let starts = 0

  async function start() {
    stop()
    const own = starts
    const loaded = await Promise.resolve(loadIo()).catch((error: unknown) => console.warn(error))
    if (own !== starts) return
    if (loaded) return open(loaded)
    onLink('lost', null)
    const timer = setTimeout(() => void start(), reconnectDelay())
    end = () => clearTimeout(timer)
  }

  function open(library: Io) {
    const how = network.cuts < mostCuts ? { transports: ['websocket'] } : { transports: ['polling'], upgrade: false }
    const opened: Socket = library(address(), { ...how, withCredentials, timeout: webSocketTimeout, ...reconnection })
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    socket = opened
    const lose = (refusal: ChatErrorCode | null = null) => onLink(navigator.onLine ? 'lost' : 'offline', refusal)
    const reconnectLater = () => {
      clearTimeout(timer)
      timer = setTimeout(() => opened.connect(), reconnectDelay())
    }
    opened.on('connect', () => onLink('up', null))
    opened.on('connect_error', ({ message }) => {
      if (isOver) return
      lose(message === 'not_connected' || message === 'forbidden' ? message : null)
      // The library gives up after a refusal of the namespace; another tab may have signed in since.
      if (!opened.active) reconnectLater()
    })
    opened.on('disconnect', (reason) => {
      if (isOver) return
      lose()
      if (reason === 'io server disconnect') reconnectLater()
    })
    fallBackToPolling(opened, network, () => !isOver && onUnreachable?.())
    for (const [event, handle] of handlers) opened.on(event, (data: unknown) => !isOver && handle(data as never))

    // The browser knows sooner than the next try, and sooner than the heartbeat.
    const reconnectNow = () => !opened.connected && opened.disconnect().connect()
    const dropNow = () => opened.connected && opened.io.engine.close()
    addEventListener('online', reconnectNow)
    addEventListener('offline', dropNow)
    end = () => {
      isOver = true
      clearTimeout(timer)
      removeEventListener('online', reconnectNow)
      removeEventListener('offline', dropNow)
      opened.close()
    }
  }

  function stop() {
    starts += 1
    end()
    end = () => {}
    socket = null
  }

  return {
    /** Opens the socket, or a new one in its place. */
    start: () => void start(),
    stop,
    isUp: () => socket?.connected === true,
    on<Name extends keyof P['events'] & string>(event: Name, handle: (data: P['events'][Name]) => void) {
      handlers.push([event, handle])
    },
    /** Sends an event and returns its acknowledgement; throws `ChatError`. */
    async request<Name extends keyof P['inputs'] & keyof P['answers'] & string>(event: Name, input: P['inputs'][Name]) {
      if (!socket?.connected) throw new ChatError('silent')
      const answer = (await socket
        .timeout(ackTimeout)
        .emitWithAck(event, input)
        .catch(() => null)) as ChatAnswer<P['answers'][Name]> | null
      if (!answer) throw new ChatError('silent')
      if (answer.ok) return answer
      const { error } = answer as Partial<ChatFailure>
      throw new ChatError(error?.code ?? 'broken', {
        wait: error?.retry_after,
        userName: error?.user_name,
        fields: error?.fields,
      })
    },
  }
}

export type Connection<P extends AnyProtocol> = ReturnType<typeof createConnection<P>>

type Fallible = Pick<Socket, 'on' | 'connected' | 'active' | 'disconnect' | 'io'>

/**
 * Tries long polling and WebSocket in turn; a poll upgrades itself where WebSockets are let through after all. Where they
 * are let through and then cut, long polling stays.
 */
function fallBackToPolling(socket: Fallible, network: { cuts: number }, onUnreachable: () => void) {
  const { io: manager } = socket
  let failures = 0
  let connectedAt = 0
  const usePolling = (isPolling: boolean) => {
    const mayUpgrade = network.cuts < mostCuts
    manager.opts.upgrade = mayUpgrade
    manager.opts.transports = isPolling || !mayUpgrade ? ['polling', 'websocket'] : ['websocket']
    manager.timeout(isPolling ? pollingTimeout : webSocketTimeout)
  }
  // After the library has planned its own next try.
  const reconnectSoon = () => setTimeout(() => socket.active && !socket.connected && socket.disconnect().connect())
  socket.on('connect', () => {
    failures = 0
    connectedAt = Date.now()
  })
  socket.on('disconnect', (reason) => {
    const isCut = reason.startsWith('transport') && manager.engine.transport.name === 'websocket'
    if (!isCut || !navigator.onLine || Date.now() - connectedAt > shortLife) return
    network.cuts += 1
    usePolling(true)
    if (network.cuts <= mostCuts) reconnectSoon()
  })
  manager.on('error', () => {
    // While the browser is offline both would fail.
    if (!navigator.onLine || !socket.active) return
    failures += 1
    usePolling(failures % 2 === 1)
    if (failures === 1) reconnectSoon()
    else onUnreachable()
  })
}
