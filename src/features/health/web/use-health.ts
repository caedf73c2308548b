import { useEffect, useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import type { SystemHealth } from '../contract.ts'

export type Range = 'hour' | 'day'
const everyMs = 15_000

export const loadHealth = (range: Range, signal?: AbortSignal) => getJson<SystemHealth>(`/api/etat?range=${range}`, signal)

/** Reloads the health every 15 seconds while the page is visible; `isStale` when the last request failed. */
export function useSystemHealth(loaded: SystemHealth, range: Range) {
  const [fresh, setFresh] = useState<{ of: SystemHealth; health: SystemHealth; isStale: boolean } | null>(null)

  useEffect(() => {
    const leaving = new AbortController()
    const refresh = () => {
      if (document.visibilityState !== 'visible') return
      loadHealth(range, leaving.signal).then(
        (health) => setFresh({ of: loaded, health, isStale: false }),
        (error: unknown) => {
          if (leaving.signal.aborted) return
          console.warn(error)
          setFresh((known) => ({ of: loaded, health: known?.of === loaded ? known.health : loaded, isStale: true }))
        },
      )
    }
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      leaving.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [loaded, range])

  return fresh?.of === loaded ? fresh : { health: loaded, isStale: false }
}
