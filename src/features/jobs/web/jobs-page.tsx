import { company } from '#company/company.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { feedTag } from '#src/ui/page/feed-tag.ts'
import { describePage, languageOf } from '#src/ui/page/page-meta.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import scene from '#src/ui/illustrations/training.svg'
import { pickVariant } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { translator } from '#src/lib/language/texts.ts'
import type { Job } from '../contract.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/jobs-page.ts'
import { JobDates, withPostedOn } from './job-dates.tsx'

const path = '/emploi'

export async function loader({ context }: Route.LoaderArgs) {
  return { jobs: (await context.get(pageContext).services.jobs.findOpen()).map(summaryOf) }
}

export async function clientLoader() {
  return { jobs: (await getJson<Job[]>('/api/jobs/emplois')).filter(({ state }) => state === 'open').map(summaryOf) }
}

export const shouldRevalidate = revalidateOn('jobs')

export function meta({ matches }: Route.MetaArgs) {
  const language = languageOf(matches)
  const feed = feedTag(path, language, translator(texts, language)('feed'))
  return [...describePage(matches, texts, 'title', 'metaDescription', path), feed]
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
        <section aria-labelledby="open-jobs">
          <h2 id="open-jobs" className="mb-5 text-2xl">
            {t('openCount', { count: jobs.length })}
          </h2>
          <ul className="grid gap-5">
            {jobs.map((job) => (
              <li key={job.id_emploi}>
                <JobCard job={job} />
              </li>
            ))}
          </ul>
        </section>
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

function JobCard({ job }: { job: Line }) {
  const t = useTexts(texts)
  const title = pickVariant(useLanguage(), job.titre, job.titre_en)
  return (
    <Link
      to={`/emploi/voir/${job.id_emploi}`}
      className="card group flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-6 py-5 hover:border-brand"
    >
      <span className="grid gap-1">
        <span className="text-xl font-extrabold wrap-anywhere group-hover:text-brand" lang={title.lang}>
          {title.text || t('untitled')}
        </span>
        <JobDates job={job} />
      </span>
      <span className="flex items-center gap-2 font-bold text-brand">
        <span>{t('see')}</span>
        <ArrowIcon />
      </span>
    </Link>
  )
}

type Line = ReturnType<typeof summaryOf>

/** Omits descriptions, which the list does not show. */
function summaryOf(job: Job) {
  const { id_emploi, titre, titre_en, closes_on, posted_on, employment_type } = withPostedOn(job)
  return { id_emploi, titre, titre_en, closes_on, posted_on, employment_type }
}
