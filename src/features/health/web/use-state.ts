import { useEffect, useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import type { SystemState } from '../contract.ts'

export type Range = 'hour' | 'day'
const everyMs = 15_000

export const loadState = (range: Range, signal?: AbortSignal) => getJson<SystemState>(`/api/etat?range=${range}`, signal)

/** The state, asked for anew while the page is in sight; `isStale` where the last question was not answered. */
export function useSystemState(loaded: SystemState, range: Range) {
  const [fresh, setFresh] = useState<{ of: SystemState; state: SystemState; isStale: boolean } | null>(null)

  useEffect(() => {
    const leaving = new AbortController()
    const refresh = () => {
      if (document.visibilityState !== 'visible') return
      loadState(range, leaving.signal).then(
        (state) => setFresh({ of: loaded, state, isStale: false }),
        (error: unknown) => {
          if (leaving.signal.aborted) return
          console.warn(error)
          setFresh((known) => ({ of: loaded, state: known?.of === loaded ? known.state : loaded, isStale: true }))
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

  return fresh?.of === loaded ? fresh : { state: loaded, isStale: false }
}
