import { useSyncExternalStore } from 'react'

/** Whether the page is in sight: what a hidden tab shows was not read by anybody. */
export function useSeen() {
  return useSyncExternalStore(
    subscribe,
    () => document.visibilityState === 'visible',
    () => false,
  )
}

function subscribe(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
