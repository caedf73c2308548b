import { company } from '#company/company.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { describePage } from '#src/ui/page/page-meta.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import scene from '#src/ui/illustrations/training.svg'
import { getJson } from '#src/ui/api.ts'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Job } from '../contract.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/jobs-page.ts'
import { JobList, summaryOf } from './job-list.tsx'

const path = '/emploi'

export async function loader({ context }: Route.LoaderArgs) {
  return { jobs: (await context.get(pageContext).services.jobs.findOpen()).map(summaryOf) }
}

export async function clientLoader() {
  return { jobs: (await getJson<Job[]>('/api/jobs/emplois')).map(summaryOf) }
}

export const shouldRevalidate = revalidateOn('jobs')

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'title', 'metaDescription', path)
}

export default function JobsPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(texts)
  const { jobs } = loaderData
  return (
    <div className="wrap">
      <PageHead
        title={t('title')}
        lead={t('lead')}
        trail={[{ name: t('title'), path }]}
        scene={{ src: scene, alt: t('jobScene') }}
      />
      {jobs.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
      ) : (
        <JobList jobs={jobs} title={t('openCount', { count: jobs.length })} />
      )}
      <p className="mt-12 max-w-prose text-lg">
        <span>{`${t('footer')} `}</span>
        <a href={`mailto:${company.emails.hr}`} className="font-bold text-brand underline underline-offset-4">
          {company.emails.hr}
        </a>
      </p>
    </div>
  )
}
