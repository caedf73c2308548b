import { networkOf } from './addresses.ts'

/** Limits how many connections one address (an IPv6 /64 counts as one) has open at once. */
export function createOpenCounter(most: number, onRefused: () => void) {
  const open = new Map<string, number>()
  return {
    /** Returns the function that releases the place, which may be called twice; null where the limit is reached. */
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
