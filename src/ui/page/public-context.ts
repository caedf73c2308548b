import { useOutletContext } from 'react-router'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import type { Availability } from '#src/server/live/events.ts'

/** Outlet context of the public layout; null where unknown. */
export type PublicContext = { availability: Availability | null; networkStatus: NetworkStatus | null }

export const usePublicContext = () => useOutletContext<PublicContext>()
