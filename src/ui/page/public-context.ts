import { useOutletContext } from 'react-router'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import type { Availability } from '#src/server/live/events.ts'

/** What the layout of the public site gives its pages; null where it is not known. */
export type PublicContext = { availability: Availability | null; networkStatus: NetworkStatus | null }

export const usePublicContext = () => useOutletContext<PublicContext>()
