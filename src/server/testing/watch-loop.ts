/**
 * Watches the event loop of this process while `/healthz` is polled. `longestMs` is the longest CPU time of the main thread
 * without a pause: unlike elapsed time it does not depend on other processes.
 */
export function watchLoop(origin: string) {
  let longestMs = 0
  let longestElapsedMs = 0
  let polls = 0
  const state = { isDone: false }
  let before = process.threadCpuUsage()
  let at = performance.now()
  const tick = setInterval(() => {
    const spent = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (spent.user + spent.system) / 1_000)
    longestElapsedMs = Math.max(longestElapsedMs, performance.now() - at)
    before = process.threadCpuUsage()
    at = performance.now()
  }, 1)
  const poll = async () => {
    while (!state.isDone) {
      const { status } = await fetch(`${origin}/healthz`)
      if (status !== 200) throw new Error(`/healthz answered ${status}`)
      polls += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const polling = poll()
  return {
    async stop() {
      state.isDone = true
      await polling
      clearInterval(tick)
      return { longestMs, longestElapsedMs, polls }
    },
  }
}
