import { useEffect, useRef, useState } from 'react'
import type { Area } from '#src/lib/rights.ts'
import type { Availability } from '#src/lib/availability.ts'
import { whenIdle } from '../first-load.ts'
import { Button } from '../components/button.tsx'
import { useTexts } from '../language.tsx'
import { texts } from '../page/site-texts.ts'

const ignore = () => undefined

/**
 * Subscribes to live changes (docs/api.md#live-changes) once the page is idle: calls back with the changed area, or `null`
 * where any may have changed. Returns whether the site was rebuilt since the page was loaded. `since` is when the server
 * rendered the page; earlier changes are not sent.
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
    // A page in the back/forward cache must not hold a connection.
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

/** The build version of the loaded page, from the router's manifest. */
function loadedBuild() {
  // oxlint-disable-next-line no-underscore-dangle -- its name in the router
  return (window as { __reactRouterManifest?: { version?: string } }).__reactRouterManifest?.version
}

/** Offers to reload after an update of the site. Bundled with each page, because the files of the old build are gone. */
export function ReloadNotice({ shown }: { shown: boolean }) {
  const t = useTexts(texts)
  return (
    <div role="status" className="fixed end-4 bottom-20 start-4 z-20 sm:end-auto sm:bottom-4 print:hidden">
      {shown && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-lamp px-5 py-3 text-on-lamp shadow-float">
          <span>{t('outdated')}</span>
          <Button variant="secondary" size="small" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        </p>
      )}
    </div>
  )
}
