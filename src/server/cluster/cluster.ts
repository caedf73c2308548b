import type { RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible'
import type { ServerOptions } from 'socket.io'
import type { Config } from '../config.ts'

/** What the instances of the product share where there are several (docs/decisions/009). */
export type Cluster = {
  isAlone: boolean
  /** Sends to the other instances, in the order of the calls; where Redis lost a message they get `onGap`. */
  send: (topic: string, data: unknown) => void
  on: (topic: string, listener: (data: unknown, from: string) => void) => void
  /** Another instance joined, or came back, and does not know the state of this one. */
  onHello: (listener: () => void) => void
  /** An instance stopped, or was silent for too long. */
  onGone: (listener: (instance: string) => void) => void
  /** Redis was away: messages of the others may be lost. */
  onGap: (listener: () => void) => void
  /** The number of other instances that are heard. */
  countOthers: () => number
  isConnected: () => boolean
  /** What carries Socket.IO's broadcasts. */
  adapter: ServerOptions['adapter'] | undefined
  /** A counter that all instances share; the one that is given counts while Redis does not answer. */
  countTogether: (name: string, rule: { points: number; seconds: number }, alone: RateLimiterMemory) => RateLimiterAbstract
  close: () => Promise<void>
}

/** One instance by itself: there is nobody to tell. */
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

/** Joins the other instances where `REDIS_URL` is set; without it none of Redis is loaded. */
export async function joinCluster({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Cluster> {
  return redisUrl ? (await import('./redis.ts')).joinRedis(redisUrl) : alone
}
