import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and while its page is taken over: what needs the script cannot be used yet. */
export function useHydrated() {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
