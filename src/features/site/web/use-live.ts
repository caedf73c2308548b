import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

/**
 * Asks the page's data again when the server says that some of it changed (contract.md 6).
 * The stream opens once the page is idle, closes while the tab is hidden (a browser allows six
 * connections to a site in all) and catches up when it comes back.
 */
export function useLive() {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    let source: EventSource | undefined
    let wasOpen = false

    const open = () => {
      if (source || document.visibilityState === 'hidden') return
      source = new EventSource('/api/live')
      source.addEventListener('changed', () => void revalidate())
      source.addEventListener('open', () => {
        if (wasOpen) void revalidate()
        wasOpen = true
      })
    }
    const close = () => {
      source?.close()
      source = undefined
    }
    const follow = () => (document.visibilityState === 'hidden' ? close() : open())

    const cancel = whenIdle(open)
    document.addEventListener('visibilitychange', follow)
    return () => {
      cancel()
      document.removeEventListener('visibilitychange', follow)
      close()
    }
  }, [revalidate])
}

function whenIdle(work: () => void) {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 2_000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 10_000 })
  return () => cancelIdleCallback(handle)
}
