import { useOutletContext, useRouteLoaderData } from 'react-router'
import type { NetworkSummary } from '#src/features/networks/values.ts'
import type { Availability } from '#src/lib/availability.ts'
import type { loader as rootLoader } from '#src/root.tsx'

/** Outlet context of the public layout; null where unknown. */
export type PublicContext = { availability: Availability | null; network: NetworkSummary | null }

/** An event of the window that opens the chat. */
export const openChatEvent = 'guichet:open-chat'

export const usePublicContext = () => useOutletContext<PublicContext>()

/** The site's origin, such as `https://www.example.com`. */
export function useOrigin() {
  return useRouteLoaderData<typeof rootLoader>('root')?.origin ?? ''
}
