/** Runs work when the browser is idle; returns the function that cancels it. */
export function whenIdle(work: () => void) {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 2_000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 10_000 })
  return () => cancelIdleCallback(handle)
}
