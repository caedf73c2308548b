import type { ComponentType } from 'react'
import { lazy, Suspense, useState } from 'react'
import { data } from 'react-router'
import { company } from '#company/company.ts'
import { handleApplicationPost } from '#src/features/applications/web/form-action.ts'
import type { RequestFormProps } from '#src/features/requests/web/request-form.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { summarize } from '#src/lib/text/summary.ts'
import { getJson } from '#src/ui/api.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { JsonLd } from '#src/ui/page/json-ld.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import { readId } from '#src/ui/page/page-errors.tsx'
import { inOwnLanguages } from '#src/ui/page/own-languages.ts'
import { languageOf, missingPageTags, pageTags } from '#src/ui/page/page-meta.ts'
import { useOrigin } from '#src/ui/page/public-context.ts'
import { trustHtml } from '#src/ui/rich-text/trusted-html.ts'
import type { Job } from '../contract.ts'
import { texts } from '../texts.ts'
import { isInEnglish } from '../values.ts'
import type { Route } from './+types/job-page.ts'
import type { PostedJob } from './job-structured-data.ts'
import type { OtherJob } from './job-posting.tsx'
import { JobClosed, JobPosting, OtherJobs } from './job-posting.tsx'
import { withPostedOn } from './job-dates.tsx'

type FormProps = RequestFormProps & { jobId: number }
type Form = ComponentType<FormProps>

declare global {
  /** Resolves once the form of a posting has its script, or does without it: the page is hydrated afterwards. */
  var formReady: Promise<unknown> | undefined
}

/** Longer, and the page does without the script of its form. */
const longestMs = 10_000
let loaded: Form | null = null

function loadForm(): Promise<{ default: Form }> {
  const tooSlow = new Promise<never>((_, reject) => setTimeout(reject, longestMs, new Error('the form is too slow')))
  const form = import('#src/features/applications/web/application-form.tsx').then((module): Form => module.default)
  return Promise.race([form, tooSlow])
    .catch((error: unknown) => {
      console.warn(error)
      return ServerForm
    })
    .then((found) => ({ default: (loaded = found) }))
}

// React would remove a form whose script loads after the hydration, with what was typed into it.
if (import.meta.env.SSR) loaded = (await import('#src/features/applications/web/application-form.tsx')).default
else globalThis.formReady = loadForm()
const LazyForm = lazy(loadForm)

function ApplicationForm(props: FormProps) {
  const [Shown] = useState<Form>(() => loaded ?? LazyForm)
  return (
    <Suspense fallback={null}>
      <Shown {...props} />
    </Suspense>
  )
}

const firstPage = import.meta.env.SSR ? null : readFirstPage()

/** Read once: trusted HTML is an object, and React writes another object anew, over what was typed. */
function readFirstPage() {
  const form = document.querySelector('section[aria-labelledby="postuler"]')
  return { path: location.pathname, form: form && { className: form.className, html: trustHtml(form.innerHTML) } }
}

/** Without its script the form that the server rendered stays, and posts the page; other postings have none. */
function ServerForm({ jobId }: FormProps) {
  const form = firstPage?.path === pathOf(jobId) ? firstPage.form : null
  if (!form) return <ApplyByMail />
  return (
    <section
      className={form.className}
      aria-labelledby="postuler"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: form.html }}
    />
  )
}

function ApplyByMail() {
  const t = useTexts(texts)
  const { hr } = company.emails
  return (
    <p id="postuler" className="mt-12">
      <span>{t('applyByMail')}</span>{' '}
      <a href={`mailto:${hr}`} className="font-bold text-brand underline underline-offset-4">
        {hr}
      </a>
    </p>
  )
}

export { PageErrorBoundary as ErrorBoundary } from '#src/ui/page/page-errors.tsx'

const pathOf = (id: number) => `/emploi/voir/${id}`

/** A filled posting returns 410 so that search engines drop it; the page still explains it to visitors. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { jobs, applications } = context.get(pageContext).services
  const id = readId(params.id_emploi)
  const found = await openOrOthers(id, jobs.find(id), jobs.findOpen)
  return data(
    { ...found, form: applications.start() },
    { status: found.job === null ? 404 : found.job.state === 'closed' ? 410 : 200 },
  )
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const path = '/api/jobs/emplois'
  const id = readId(params.id_emploi)
  const found = await openOrOthers(id, getJson<Job>(`${path}/${id}`), () => getJson<Job[]>(path))
  return { ...found, form: { shownAt: null, clientId: null } }
}

export function action(args: Route.ActionArgs) {
  return handleApplicationPost(args, readId(args.params.id_emploi))
}

export function headers({ actionHeaders, loaderHeaders }: Route.HeadersArgs) {
  return actionHeaders ?? loaderHeaders
}

/** A posting, null where there is none; in place of one that is gone or filled, those that are open. */
async function openOrOthers(id: number, found: Promise<Job>, findOpen: () => Promise<readonly Job[]>) {
  // Staff get drafts too, which no public page shows.
  const job = await found.then(
    (one) => (one.state === 'open' || one.state === 'closed' ? publicPart(one) : null),
    (error: unknown) => {
      if ((error as { status?: unknown }).status === 404) return null
      throw error
    },
  )
  return { id, job, others: job?.state === 'open' ? [] : (await findOpen()).filter(isOpen).map(otherOf) }
}

const isOpen = ({ state }: Job) => state === 'open'

const otherOf = ({ id_emploi, titre, titre_en }: Job): OtherJob => ({ id_emploi, titre, titre_en })

export const shouldRevalidate = revalidateOn('jobs')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return missingPageTags(matches)
  const { job } = loaderData
  const language = languageOf(matches)
  const t = translator(texts, language)
  if (!job) return [{ title: t('closedTitle') }, { name: 'robots', content: 'noindex' }]
  const title = pickText(language, job.titre, job.titre_en) || t('untitled')
  if (job.state === 'closed') return [{ title: `${t('closedTitle')} | ${title}` }, { name: 'robots', content: 'noindex' }]
  const description = summarize(textOfHtml(pickText(language, job.description, job.description_en)))
  const path = pathOf(job.id_emploi)
  const picture = { path: `/partage/job/${job.id_emploi}.${language}.png`, alt: title }
  const tags = pageTags(matches, title, description || t('metaDescription'), path, picture)
  return isInEnglish(job) ? tags : inOwnLanguages(tags, path, null)
}

export default function JobPage({ loaderData, actionData }: Route.ComponentProps) {
  const { job, others, form } = loaderData
  return (
    <>
      <PostedOrClosed job={job} path={pathOf(loaderData.id)} posted={actionData} start={form} />
      <OtherJobs jobs={others} />
    </>
  )
}

function PostedOrClosed({ job, path, ...form }: RequestFormProps & { job: PostedJob | null; path: string }) {
  return (
    <div className="wrap">
      {job?.state !== 'open' ? (
        <JobClosed job={job} path={path} />
      ) : (
        <>
          <JobPosting job={job} path={path} />
          <ApplicationForm key={job.id_emploi} jobId={job.id_emploi} {...form} />
          <JobJsonLd job={job} />
        </>
      )}
    </div>
  )
}

/** Only the title of a filled posting is shown. */
function publicPart(job: Job) {
  return withPostedOn(job.state === 'closed' ? { ...job, description: '', description_en: '' } : job)
}

const onServer = import.meta.env.SSR ? await import('./job-structured-data.ts') : null

function JobJsonLd({ job }: { job: PostedJob }) {
  const language = useLanguage()
  const origin = useOrigin()
  // Structured data without these fields is invalid, so it is omitted.
  if (!pickText(language, job.titre, job.titre_en) || !pickText(language, job.description, job.description_en)) return null
  return (
    <JsonLd
      key={`${job.id_emploi} ${job.version}`}
      data={onServer?.describeJob(job, origin, language) ?? null}
      load={async () => (await import('./job-structured-data.ts')).describeJob(job, origin, language)}
    />
  )
}
