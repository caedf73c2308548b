import { setImmediate } from 'node:timers/promises'

const longestMs = 8

/**
 * Of work that takes long without waiting for anything: awaited between its parts, it lets other requests in whenever the parts
 * since the last pause took some milliseconds.
 */
export function createPauses() {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < longestMs) return
    await setImmediate()
    began = performance.now()
  }
}
