import { pickVariant } from '#src/lib/language/language.ts'
import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Job } from '../contract.ts'
import { texts } from '../texts.ts'
import { JobDates, withPostedOn } from './job-dates.tsx'

export type JobSummary = ReturnType<typeof summaryOf>

/** Omits descriptions, which the list does not show. */
export function summaryOf(job: Job) {
  const { id_emploi, titre, titre_en, closes_on, posted_on, employment_type } = withPostedOn(job)
  return { id_emploi, titre, titre_en, closes_on, posted_on, employment_type }
}

/** Open postings, each linked to its page. */
export function JobList({ jobs, title }: { jobs: JobSummary[]; title: string }) {
  return (
    <section aria-labelledby="open-jobs">
      <h2 id="open-jobs" className="mb-5 text-2xl">
        {title}
      </h2>
      <ul className="grid gap-5">
        {jobs.map((job) => (
          <li key={job.id_emploi}>
            <JobCard job={job} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function JobCard({ job }: { job: JobSummary }) {
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
