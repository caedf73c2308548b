import { Outlet, useOutletContext } from 'react-router'
import { RepairBoundary } from '#src/ui/components/repair-boundary.tsx'
import type { Route } from './+types/public-pages.ts'
import { missingPageTags } from '#src/ui/page/page-meta.ts'

/** Where a page fails, what stands around it stays: the way out, and a chat that goes on. */
export { PageErrorBoundary as ErrorBoundary } from '#src/ui/page/page-errors.tsx'

export function meta({ matches }: Route.MetaArgs) {
  return missingPageTags(matches, 'errorTitle')
}

export default function PublicPages() {
  const context = useOutletContext()
  return (
    <RepairBoundary>
      <Outlet context={context} />
    </RepairBoundary>
  )
}
