import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and until hydration: what needs JavaScript cannot be used yet. */
export function useHydrated() {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
