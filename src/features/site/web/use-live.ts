import { useEffect, useRef, useState } from 'react'
import type { LiveArea } from '#src/server/events.ts'

const returnMs = { least: 2_000, spread: 3_000 }

/**
 * Follows the server's stream (contract.md 6): tells which area changed, or `null` after a gap in which any may have,
 * and answers whether the site was built anew since this page was loaded. The stream opens once the page is idle,
 * closes while the tab is hidden (a browser allows six connections to a site in all) and catches up when it comes back.
 */
export function useLive(onChanged: (area: LiveArea | null) => void) {
  const [isOutdated, setOutdated] = useState(false)
  const handler = useRef(onChanged)
  useEffect(() => {
    handler.current = onChanged
  }, [onChanged])

  useEffect(() => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let wasOpen = false

    const open = () => {
      if (source || document.visibilityState === 'hidden') return
      const opened = (source = new EventSource('/api/live'))
      opened.addEventListener('changed', ({ data }: MessageEvent<string>) =>
        handler.current((JSON.parse(data) as { area: LiveArea }).area),
      )
      opened.addEventListener('hello', ({ data }: MessageEvent<string>) =>
        setOutdated((JSON.parse(data) as { build: string }).build !== loadedBuild()),
      )
      opened.addEventListener('open', () => {
        if (wasOpen) handler.current(null)
        wasOpen = true
      })
      opened.addEventListener('error', () => {
        // The browser comes back by itself, but not once a proxy answered 502 for a server that restarts.
        if (opened.readyState !== EventSource.CLOSED) return
        close()
        timer = setTimeout(open, returnMs.least + Math.random() * returnMs.spread)
      })
    }
    const close = () => {
      clearTimeout(timer)
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
  }, [])
  return isOutdated
}

/** The router keeps the version of the files that the page was made with. */
function loadedBuild() {
  // oxlint-disable-next-line no-underscore-dangle -- its name in the router
  return (window as { __reactRouterManifest?: { version?: string } }).__reactRouterManifest?.version
}

function whenIdle(work: () => void) {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 2_000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 10_000 })
  return () => cancelIdleCallback(handle)
}
