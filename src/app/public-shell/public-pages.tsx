import { Outlet, useOutletContext } from 'react-router'
import { RepairBoundary } from '#src/ui/components/repair-boundary.tsx'
import type { Route } from './+types/public-pages.ts'
import { missingPageTags } from '#src/ui/page/page-meta.ts'

/** When a page fails, its layout stays: navigation, and an ongoing chat. */
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
