import { useEffect, useRef, useState } from 'react'
import type { Area } from '#src/lib/rights.ts'
import type { Availability } from '#src/server/live/events.ts'
import { whenIdle } from '../when-idle.ts'

const ignore = () => undefined

/**
 * Follows the server's stream (docs/api.md#live-changes): tells which area changed, or `null` where any may have, and answers
 * whether the site was built anew since this page was loaded. The stream and its script come once the page is idle;
 * `since` is when the server made the page, from where it catches up.
 */
export function useLive(
  onChanged: (area: Area | null) => void,
  since = 0,
  onAvailability: (availability: Availability) => void = ignore,
) {
  const [isOutdated, setOutdated] = useState(false)
  const handler = useRef(onChanged)
  const startedAt = useRef(since)
  useEffect(() => {
    handler.current = onChanged
  }, [onChanged])

  useEffect(() => {
    let stop = start()

    function start() {
      let isWanted = true
      let leave = () => {
        isWanted = false
      }
      const follow = async () => {
        const { followLive } = await import('./live-stream.ts')
        if (!isWanted) return
        leave = followLive(startedAt.current, {
          onChanged: (area) => handler.current(area),
          onAvailability,
          onBuild: (build) => setOutdated(build !== loadedBuild()),
        })
      }
      const cancel = whenIdle(() => void follow().catch(console.error))
      return () => {
        cancel()
        leave()
      }
    }
    // A page that the browser keeps for the way back must hold no connection.
    const sleep = () => stop()
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      handler.current(null)
      stop = start()
    }
    addEventListener('pagehide', sleep)
    addEventListener('pageshow', wake)
    return () => {
      removeEventListener('pagehide', sleep)
      removeEventListener('pageshow', wake)
      stop()
    }
  }, [onAvailability])
  return isOutdated
}

/** The router holds the version of the build that made the page. */
function loadedBuild() {
  // oxlint-disable-next-line no-underscore-dangle -- its name in the router
  return (window as { __reactRouterManifest?: { version?: string } }).__reactRouterManifest?.version
}
