import { Breadcrumbs } from '#src/ui/page/page-head.tsx'
import { pickVariant } from '#src/lib/language/language.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { Job, JobInput } from '../contract.ts'
import { texts } from '../texts.ts'
import { JobDates } from './job-dates.tsx'

type Shown = Omit<JobInput, 'publie' | 'opens_on' | 'version' | 'english_reviewed'> & { posted_on: string }

type JobPostingProps = {
  job: Shown
  /** Address of the page; undefined in a preview. */
  path?: string
}

/** Title and description in the language of the page, and how to apply. */
export function JobPosting({ job, path }: JobPostingProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const title = pickVariant(language, job.titre, job.titre_en)
  const description = pickVariant(language, job.description, job.description_en)
  const name = title.text || t('untitled')
  const Title = path ? 'h1' : 'h2'
  return (
    <article>
      <div className="grid justify-items-start gap-5 pt-8 pb-10 md:pt-10">
        {path && <Trail name={name} path={path} />}
        <Title className="max-w-4xl" lang={title.lang}>
          {name}
        </Title>
        <p>
          <JobDates job={job} />
        </p>
      </div>
      {path && <h2 className="sr-only">{t('position')}</h2>}
      <RichText html={description.text} lang={description.lang} className="prose max-w-prose text-lg" />
      <div className="mt-10 flex flex-wrap gap-3 print:hidden">
        {/* The form is on the page, below. */}
        <ButtonAnchor href="#postuler">{t('apply')}</ButtonAnchor>
        <ButtonLink to="/emploi" variant="secondary">
          {t('allJobs')}
        </ButtonLink>
      </div>
    </article>
  )
}

export type OtherJob = Pick<Job, 'id_emploi' | 'titre' | 'titre_en'>

/** Shown in place of a posting that is filled, or was taken away: then without its title. */
export function JobClosed({ job, path }: { job: Pick<Job, 'titre' | 'titre_en'> | null; path: string }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const name = job && (pickVariant(language, job.titre, job.titre_en).text || t('untitled'))
  return (
    <div className="grid justify-items-start gap-5 pt-8 pb-10 md:pt-10">
      <Trail name={name ?? t('closedTitle')} path={path} />
      {job && <Badge tone="neutral">{t('closedBadge')}</Badge>}
      <h1>{t('closedTitle')}</h1>
      <p className="max-w-prose text-lg text-ink-2">{name ? t('closedText', { title: name }) : t('goneText')}</p>
      <ButtonLink to="/emploi">{t('allJobs')}</ButtonLink>
    </div>
  )
}

/** Below a posting that is gone. */
export function OtherJobs({ jobs }: { jobs: OtherJob[] }) {
  const t = useTexts(texts)
  const language = useLanguage()
  if (jobs.length === 0) return null
  return (
    <section className="wrap">
      <h2 className="mb-3 text-2xl">{t('openCount', { count: jobs.length })}</h2>
      <ul className="grid gap-3">
        {jobs.map((job) => {
          const title = pickVariant(language, job.titre, job.titre_en)
          return (
            <li key={job.id_emploi}>
              <Link to={`/emploi/voir/${job.id_emploi}`} lang={title.lang} className="font-bold text-brand underline">
                {title.text || t('untitled')}
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Trail({ name, path }: { name: string; path: string }) {
  const t = useTexts(texts)
  return (
    <Breadcrumbs
      trail={[
        { name: t('title'), path: '/emploi' },
        { name, path },
      ]}
    />
  )
}
