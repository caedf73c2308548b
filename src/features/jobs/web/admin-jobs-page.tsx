import { cacheRecentRows, EntryList, OlderEntries, olderOf } from '#src/features/content/web/entry-list.tsx'
import { StateBadge, stateSortKey, useStateText } from '#src/features/content/web/publication-fields.tsx'
import { company } from '#company/company.ts'
import { addDays, dayIn, formatDay } from '#src/lib/time/dates.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminJobTexts } from '../admin-texts.ts'
import type { Job } from '../contract.ts'
import { jobsPageSize } from '../values.ts'
import type { Route } from './+types/admin-jobs-page.ts'

export const shouldRevalidate = cacheRecentRows

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const older = olderOf(new URL(request.url).searchParams)
  const { rows, total } = await getPage(`/api/jobs/emplois/all${older ? `?page=${older}` : ''}`)
  return { jobs: rows as Job[], older, total }
}

/** `/admin/emplois`: titles, and visibility to visitors. */
export default function AdminJobsPage({ loaderData: { jobs, older, total } }: Route.ComponentProps) {
  const t = useTexts(adminJobTexts)
  const language = useLanguage()
  const titleOf = (job: Job) => pickText(language, job.titre, job.titre_en) || t('untitled')
  const stateOf = useStateText((day) => formatDay(day, language))
  return (
    <>
      <EntryList
        area="jobs"
        title={t('title')}
        createPath="/admin/emploi_nouveau"
        editPath={(job) => `/admin/emploi_edit/${job.id_emploi}`}
        editLabel={t('edit')}
        rows={jobs}
        ordered={older ? undefined : { path: '/api/jobs/emplois/order', has: ({ state }) => state !== 'closed' }}
        rowKey={(job) => job.id_emploi}
        rowName={titleOf}
        remove={(job) => callApi('DELETE', `/api/jobs/emplois/${job.id_emploi}`)}
        press={(job) => {
          if (job.state === 'open') {
            return { label: t('takeDown'), done: t('takenDown'), work: () => save(job, takenDown(job)) }
          }
          if (job.state !== 'closed') return null
          return { label: t('postAgain'), done: t('postedAgain'), work: () => save(job, { opens_on: null, closes_on: null }) }
        }}
        undo={(job) => callApi('POST', `/api/jobs/emplois/${job.id_emploi}/undo`)}
        publicPath={(job) => (job.state === 'open' ? `/emploi/voir/${job.id_emploi}` : null)}
        readAll={readAllJobs}
        exported={[
          { header: t('jobTitle'), value: (job) => job.titre },
          { header: t('jobTitleEn'), value: (job) => job.titre_en },
          { header: t('state'), value: stateOf },
          { header: t('opensOn'), value: (job) => job.opens_on },
          { header: t('closesOn'), value: (job) => job.closes_on },
          { header: t('createdOn'), value: (job) => job.created_at, isMoment: true },
        ]}
        columns={[
          { header: t('jobTitle'), cell: titleOf, text: titleOf, sortKey: 'titre', isRowHeader: true },
          {
            header: t('state'),
            cell: (job) => <StateBadge state={job.state}>{stateOf(job)}</StateBadge>,
            text: stateOf,
            sortBy: stateSortKey,
            sortKey: 'affichage',
          },
        ]}
        emptyTitle={t('empty')}
        emptyHint={t('emptyHint')}
      />
      <OlderEntries older={older} pages={Math.ceil(total / jobsPageSize)} olderLabel={t('older')} recentLabel={t('recent')} />
    </>
  )
}

/** Every posting: the recent ones, then each page of older ones. */
export async function readAllJobs() {
  const jobs: Job[] = []
  const { rows: recent } = await getPage('/api/jobs/emplois/all')
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { rows, total } = await getPage(`/api/jobs/emplois/all?page=${page}`)
    pages = Math.ceil(total / jobsPageSize)
    jobs.push(...(rows as Job[]))
  }
  return [...(recent as Job[]), ...jobs]
}

type Days = Pick<Job, 'opens_on' | 'closes_on'>

/** The last day of a posting is a whole one: what is taken down today ended yesterday. */
function takenDown({ opens_on }: Days): Days {
  const yesterday = addDays(dayIn(company.hours.timeZone, new Date()), -1)
  return { opens_on: opens_on && opens_on <= yesterday ? opens_on : null, closes_on: yesterday }
}

const save = (job: Job, days: Days) => callApi('PUT', `/api/jobs/emplois/${job.id_emploi}`, { ...job, ...days })
