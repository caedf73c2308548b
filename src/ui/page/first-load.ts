import { useEffect } from 'react'

let isOver = false

/** True on the server, and in the browser until hydration ended. */
export const isFirstLoad = () => !isOver

/** For the root component: ends the first load after hydration. */
export function useFirstLoadEnd() {
  useEffect(() => {
    isOver = true
  }, [])
}
