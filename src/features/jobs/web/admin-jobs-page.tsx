import { cacheRecentRows, EntryList, OlderEntries, olderOf } from '#src/features/content/web/entry-list.tsx'
import { StateBadge, useStateText } from '#src/features/content/web/publication-fields.tsx'
import { formatDay } from '#src/lib/time/dates.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callApi, getPage } from '#src/ui/api.ts'
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
        rowKey={(job) => job.id_emploi}
        rowName={titleOf}
        remove={(job) => callApi('DELETE', `/api/jobs/emplois/${job.id_emploi}`)}
        undo={(job) => callApi('POST', `/api/jobs/emplois/${job.id_emploi}/undo`)}
        columns={[
          { header: t('jobTitle'), cell: titleOf, text: titleOf, sortKey: 'titre', isRowHeader: true },
          {
            header: t('state'),
            cell: (job) => <StateBadge state={job.state}>{stateOf(job)}</StateBadge>,
            text: stateOf,
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
