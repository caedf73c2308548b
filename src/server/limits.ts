import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { placeOfAddress } from './addresses.ts'
import { Limited } from './problems.ts'

type Rule = { points: number; seconds: number }

/**
 * Counters of attempts by name and key (an address, an account, a chat); refused ones throw `Limited`. An address counts
 * for its whole place: who holds one of an IPv6 network's addresses holds them all.
 */
export function createLimits() {
  const counters = new Map<string, RateLimiterMemory>()
  const counter = (name: string, rule: Rule) => {
    const found = counters.get(name)
    if (found) return found
    const made = new RateLimiterMemory({ keyPrefix: name, points: rule.points, duration: rule.seconds })
    counters.set(name, made)
    return made
  }
  return {
    /** Counts an attempt and throws `Limited` where it is one too many. */
    async take(name: string, key: string, rule: Rule, points = 1) {
      try {
        await counter(name, rule).consume(placeOfAddress(key), points)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw new Limited(refused.msBeforeNext / 1000)
        throw refused
      }
    },
    /** How many attempts were counted. */
    async used(name: string, key: string, rule: Rule) {
      return (await counter(name, rule).get(placeOfAddress(key)))?.consumedPoints ?? 0
    },
    /** Takes a counted attempt back: it turned out to be a good one. */
    async giveBack(name: string, key: string, rule: Rule) {
      await counter(name, rule).reward(placeOfAddress(key), 1)
    },
    async forget(name: string, key: string, rule: Rule) {
      await counter(name, rule).delete(placeOfAddress(key))
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
