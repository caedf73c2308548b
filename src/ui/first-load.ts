import { useEffect, useSyncExternalStore } from 'react'

let isOver = false

/** True on the server, and in the browser until hydration ended. */
export const isFirstLoad = () => !isOver

/** For the root component: ends the first load after hydration. */
export function useFirstLoadEnd() {
  useEffect(() => {
    isOver = true
  }, [])
}

const never = () => () => undefined

/** False on the server and until hydration: what needs JavaScript cannot be used yet. */
export function useHydrated() {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Runs work when the browser is idle; returns the function that cancels it. */
export function whenIdle(work: () => void) {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 2_000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 10_000 })
  return () => cancelIdleCallback(handle)
}
