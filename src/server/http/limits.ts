import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from './addresses.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { alone } from '../cluster/cluster.ts'
import { Limited } from '../problems.ts'

/** `here`: the key belongs to this instance only, such as one of its sockets. */
type Rule = { points: number; seconds: number; here?: true }

/**
 * Rate limits by name and key (an address, an account, a chat); throws `Limited`. An IPv6 address counts for its whole /64. All
 * instances count together.
 */
export function createLimits(cluster: Pick<Cluster, 'countTogether'> = alone) {
  const counters = new Map<string, RateLimiterAbstract>()
  const counter = (name: string, rule: Rule) => {
    const found = counters.get(name)
    if (found) return found
    const own = new RateLimiterMemory({ keyPrefix: name, points: rule.points, duration: rule.seconds })
    const made = rule.here ? own : cluster.countTogether(name, rule, own)
    counters.set(name, made)
    return made
  }
  return {
    /** Counts an attempt; throws `Limited` where the limit is exceeded. */
    async take(name: string, key: string, rule: Rule, points = 1) {
      try {
        await counter(name, rule).consume(networkOf(key), points)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw new Limited(refused.msBeforeNext / 1000)
        throw refused
      }
    },
    /** The number of attempts counted so far. */
    async used(name: string, key: string, rule: Rule) {
      return (await counter(name, rule).get(networkOf(key)))?.consumedPoints ?? 0
    },
    /** Uncounts an attempt that turned out to be legitimate. */
    async refund(name: string, key: string, rule: Rule) {
      await counter(name, rule).reward(networkOf(key), 1)
    },
    async forget(name: string, key: string, rule: Rule) {
      await counter(name, rule).delete(networkOf(key))
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
