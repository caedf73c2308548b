import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { z } from 'zod'
import { logger } from '../log.ts'
import type { Connections } from './redis.ts'

const beatMs = 2_000
/** An instance without a heartbeat for this long (ms) is treated as stopped. */
const silentMs = 7_000
/**
 * A subscription without an echo of this many heartbeats is opened again. They are counted, because after a blocked event loop
 * (a start on a busy machine) the last echo is old and the next one only waits to be read.
 */
const silentBeats = 3
/** Limit of messages that wait for Redis; beyond it, new ones are dropped. */
const maxWaiting = 20_000

/** `unheardMs`: milliseconds since its last message; null where it stopped by itself. */
type Signals = { hello: []; gone: [instance: string, unheardMs: number | null]; gap: [] }

const envelope = z.object({ from: z.string(), topic: z.string(), data: z.unknown().optional() })
const [hello, beat, goodbye] = ['hello', 'beat', 'goodbye']

/**
 * Message bus between instances, over Redis publish/subscribe. Messages are lost while a connection is down, so after a
 * reconnect both sides signal it (`onGap`, `onHello`) and all instances send their state again.
 */
export function createBus({ main, listener }: Pick<Connections, 'main' | 'listener'>, channel: string) {
  const self = randomUUID()
  const topics = new EventEmitter().setMaxListeners(50)
  const signals = new EventEmitter<Signals>().setMaxListeners(50)
  const lastSeenAt = new Map<string, number>()
  /** The last message of each other instance, on the monotonic clock. */
  const lastHeardAt = new Map<string, number>()
  let lastEchoAt = 0
  let unheardBeats = 0
  let waiting = 0
  let isOver = false

  const isConnected = () => Date.now() - lastEchoAt < 2 * beatMs + 500
  const publish = async (topic: string, data?: unknown) => {
    if (waiting >= maxWaiting) return
    waiting += 1
    await main
      .publish(channel, JSON.stringify({ from: self, topic, data }))
      .catch((error: unknown) => isOver || logger.warn({ err: error }, 'the other instances were not told'))
    waiting -= 1
  }
  const forget = (instance: string, unheardMs: number | null) => {
    lastHeardAt.delete(instance)
    if (lastSeenAt.delete(instance)) signals.emit('gone', instance, unheardMs)
  }

  listener.on('message', (_channel, text) => {
    const read = envelope.safeParse(parse(text))
    if (!read.success) return
    const { from, topic, data } = read.data
    if (from === self) {
      lastEchoAt = Date.now()
      unheardBeats = 0
      return
    }
    if (topic === goodbye) return forget(from, null)
    const isNew = !lastSeenAt.has(from)
    lastSeenAt.set(from, Date.now())
    lastHeardAt.set(from, performance.now())
    if (topic === hello) signals.emit('hello')
    if (isNew) void publish(topic === hello ? beat : hello)
    if (topic !== hello && topic !== beat) topics.emit(topic, data, from)
  })

  const subscribe = async () => {
    await listener.subscribe(channel)
    await publish(hello)
  }
  const ready = subscribe().catch((error: unknown) => isOver || logger.warn({ err: error }, 'no other instance is heard'))
  // On each reconnect of either connection.
  for (const connection of [main, listener]) {
    connection.once('ready', () => connection.on('ready', () => setImmediate(handleReconnect)))
  }
  // Only the subscription loses messages. `main` sends its own again, and ioredis reconnects it after a blocked event loop too.
  let hasMissed = false
  listener.on('close', () => {
    hasMissed = true
  })
  function handleReconnect() {
    if (isOver || main.status !== 'ready' || listener.status !== 'ready') return
    if (hasMissed) signals.emit('gap')
    hasMissed = false
    signals.emit('hello')
    void publish(hello)
  }

  const beating = setInterval(() => {
    const now = Date.now()
    const isReady = listener.status === 'ready' && main.status === 'ready'
    if (isReady && lastEchoAt > 0 && unheardBeats >= silentBeats) {
      // The connection is open but delivers nothing.
      unheardBeats = 0
      listener.disconnect(true)
    }
    if (main.status === 'ready') void publish(beat)
    if (isReady) unheardBeats += 1
    // Without its own echo an instance cannot know which others stopped.
    if (!isConnected()) for (const instance of lastSeenAt.keys()) lastSeenAt.set(instance, now)
    for (const [instance, at] of lastSeenAt)
      if (now - at > silentMs) forget(instance, performance.now() - (lastHeardAt.get(instance) ?? 0))
  }, beatMs)

  return {
    ready,
    cluster: {
      send: (topic: string, data: unknown) => void publish(topic, data),
      on: (topic: string, callback: (data: unknown, from: string) => void) => void topics.on(topic, callback),
      onHello: (callback: () => void) => void signals.on('hello', callback),
      onGone: (callback: (...gone: Signals['gone']) => void) => void signals.on('gone', callback),
      onGap: (callback: () => void) => void signals.on('gap', callback),
      countOthers: () => lastSeenAt.size,
      isConnected,
    },
    async close() {
      clearInterval(beating)
      isOver = true
      if (main.status === 'ready') await publish(goodbye)
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
