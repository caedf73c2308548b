import type { RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible'
import type { ServerOptions } from 'socket.io'
import type { Config } from '../config.ts'

/** Communication between the instances of the product (docs/decisions/009). */
export type Cluster = {
  isAlone: boolean
  /** Sends to the other instances, in call order. Where Redis lost a message they get `onGap`. */
  send: (topic: string, data: unknown) => void
  on: (topic: string, listener: (data: unknown, from: string) => void) => void
  /** Another instance joined or reconnected, and does not know the state of this one. */
  onHello: (listener: () => void) => void
  /**
   * An instance stopped (`unheardMs` is null), or died: its broadcasts since its last message, so many milliseconds ago, may be
   * lost.
   */
  onGone: (listener: (instance: string, unheardMs: number | null) => void) => void
  /** Redis was unavailable: messages may be lost. */
  onGap: (listener: () => void) => void
  /** The number of other live instances. */
  countOthers: () => number
  isConnected: () => boolean
  /** Socket.IO adapter for broadcasts. */
  adapter: ServerOptions['adapter'] | undefined
  /** A rate limiter shared by all instances; `alone` is used while Redis is unavailable. */
  countTogether: (name: string, rule: { points: number; seconds: number }, alone: RateLimiterMemory) => RateLimiterAbstract
  close: () => Promise<void>
}

/** A single instance. */
export const alone: Cluster = {
  isAlone: true,
  send: () => undefined,
  on: () => undefined,
  onHello: () => undefined,
  onGone: () => undefined,
  onGap: () => undefined,
  countOthers: () => 0,
  isConnected: () => false,
  adapter: undefined,
  countTogether: (_name, _rule, counter) => counter,
  close: () => Promise.resolve(),
}

/** Connects to the other instances where `REDIS_URL` is set; otherwise no Redis code is loaded. */
export async function joinCluster({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Cluster> {
  return redisUrl ? (await import('./redis.ts')).joinRedis(redisUrl) : alone
}
