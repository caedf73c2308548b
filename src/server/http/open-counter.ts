import { networkOf } from './addresses.ts'

/** Counts what is open at once from one address (an IPv6 network counts as one), and refuses more than `most`. */
export function createOpenCounter(most: number, onRefused: () => void) {
  const open = new Map<string, number>()
  return {
    /** Answers how to give the place back, which may be called twice; null where the address has as many as it may. */
    take(address: string): (() => void) | null {
      const place = networkOf(address)
      const count = open.get(place) ?? 0
      if (count >= most) {
        onRefused()
        return null
      }
      open.set(place, count + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (open.get(place) ?? 1) - 1
        if (left > 0) open.set(place, left)
        else open.delete(place)
      }
    },
  }
}

export type OpenCounter = ReturnType<typeof createOpenCounter>
