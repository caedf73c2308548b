import { useEffect } from 'react'

let isOver = false

/** True on the server, and in the browser until the page that came from it is taken over. */
export const isFirstLoad = () => !isOver

/** For the root of the page: from here on, what is drawn is drawn in the browser. */
export function useFirstLoadEnd() {
  useEffect(() => {
    isOver = true
  }, [])
}
