const longestMs = 5

/** Works that pause; one of them goes on in each turn of the event loop, or their parts would add up to one long stall. */
const waiting: (() => void)[] = []

function goOn() {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}

function pause() {
  return new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })
}

/**
 * Of work that takes long without waiting for anything: awaited between its parts, it lets other requests in whenever the parts
 * since the last pause took some milliseconds.
 */
export function createPauses() {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < longestMs) return
    await pause()
    began = performance.now()
  }
}
