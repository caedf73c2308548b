import { data } from 'react-router'
import type { Route } from './+types/not-found-page.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { NotFoundView } from '#src/ui/page/page-errors.tsx'
import { missingPageTags } from '#src/ui/page/page-meta.ts'

export function loader() {
  return data(null, { status: 404 })
}

export function clientLoader() {
  return null
}

export const shouldRevalidate = revalidateOn()

export function meta({ matches }: Route.MetaArgs) {
  return missingPageTags(matches)
}

export default function NotFoundPage() {
  return <NotFoundView />
}
