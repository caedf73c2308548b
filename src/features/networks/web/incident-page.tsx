import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { getJson } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import { orNotFound, readId } from '#src/ui/page/page-errors.tsx'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { inOwnLanguages } from '#src/ui/page/own-languages.ts'
import { languageOf, missingPageTags, pageTags } from '#src/ui/page/page-meta.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { IncidentPage as IncidentData } from '../server/overview.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/incident-page.ts'
import './networks.css'

export { PageErrorBoundary as ErrorBoundary } from '#src/ui/page/page-errors.tsx'

const pathOf = (id: number) => `/reseau/incident/${id}`

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const id = readId(params.id_incident)
  const { networks } = context.get(pageContext).services
  return { id, page: await orNotFound(networks.findIncidentPage(id, readPreferences(request).language)) }
}

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const id = readId(params.id_incident)
  const { language } = readStoredPreferences(request)
  return { id, page: await orNotFound(getJson<IncidentData>(`/api/networks/incidents/${id}/page?lang=${language}`)) }
}

export const shouldRevalidate = revalidateOn('networks')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return missingPageTags(matches)
  const { id, page } = loaderData
  const picture = { path: `/partage/incident/${id}.${languageOf(matches)}.png`, alt: page.title }
  const tags = pageTags(matches, page.title, page.description, pathOf(id), picture)
  return page.isInEnglish ? tags : inOwnLanguages(tags, pathOf(id), null)
}

export default function IncidentPage({ loaderData: { id, page } }: Route.ComponentProps) {
  const t = useTexts(texts)
  return (
    <div className="wrap status-head">
      <PageHead
        title={<span key={page.title}>{page.title}</span>}
        trail={[
          { name: t('title'), path: '/reseau' },
          { name: page.title, path: pathOf(id) },
        ]}
      />
      <RichText html={page.html} className="" />
    </div>
  )
}
