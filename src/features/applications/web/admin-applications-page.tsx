import { undoMs } from '#src/lib/suspected.ts'
import { useState } from 'react'
import { useLocation, useNavigate, useRevalidator, useSearchParams } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { describeTotal } from '#src/lib/lists.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { DownloadIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { UndoBar } from '#src/ui/components/undo-bar.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { downloadFile } from '#src/ui/download-file.ts'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminApplicationTexts } from '../admin-texts.ts'
import type { ApplicationSummary } from '../contract.ts'
import { statusLabels } from '../status-labels.ts'
import { applicationsPerPage, applicationStatuses } from '../values.ts'
import type { Route } from './+types/admin-applications-page.ts'
import type { RemovedApplication } from './removed-application.ts'
import { readRemoved } from './removed-application.ts'
import { statusTones } from './status-tones.ts'

const path = '/api/applications/applications'
const listPath = '/admin/candidatures'
const filters = ['status', 'search'] as const

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const asked = new URL(request.url).searchParams
  const query = new URLSearchParams()
  for (const name of [...filters, 'page']) {
    const value = asked.get(name)
    if (value) query.set(name, value)
  }
  const [{ rows, total }, waiting] = await Promise.all([
    getPage(`${path}?${query}`),
    getJson<{ new: number; suspected: number }>(`${path}/counts`),
  ])
  return { rows: rows as ApplicationSummary[], total, waiting }
}

/** What people sent about the postings, newest first. */
export default function AdminApplicationsPage({ loaderData: { rows, total, waiting } }: Route.ComponentProps) {
  useRight(['applications'], 'read_only')
  const t = useTexts(adminApplicationTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [query] = useSearchParams()
  const { valueOf, isFiltered } = useFilter(filters)
  const isReview = valueOf('status') === 'suspected'
  const toPage = (page: number) => {
    const next = new URLSearchParams(query)
    next.set('page', String(page))
    return `?${next}`
  }
  const handleExport = () => {
    const asked = new URLSearchParams({ language })
    for (const name of filters) if (valueOf(name)) asked.set(name, valueOf(name))
    void run(() => downloadFile('GET', `${path}/export.csv?${asked}`), {})
  }
  const removed = readRemoved(useLocation().state)
  const [endedAt, setEndedAt] = useState(0)
  const isUndoable = removed !== null && removed.at > endedAt && Date.now() < removed.at + undoMs
  const endUndo = () => setEndedAt(removed?.at ?? 0)
  const handleUndo = ({ id, reference }: RemovedApplication) =>
    run(
      async () => {
        endUndo()
        await callApi('POST', `${path}/${id}/undo`).finally(revalidate)
      },
      { done: t('undone', { reference }) },
    )
  const pathOf = ({ id_application: id }: ApplicationSummary) => `${listPath}/${id}`
  return (
    <>
      <AdminHead
        title={isReview ? t('toVerify') : t('title')}
        subtitle={describeTotal(t, total)}
        backTo={isReview ? listPath : '/admin/panel'}
        actions={
          total > 0 && (
            <Button variant="secondary" busy={busy} onClick={handleExport}>
              <DownloadIcon />
              <span>{t('export')}</span>
            </Button>
          )
        }
      />
      <Toast {...toast} />
      <div role="status" className="mb-6 empty:hidden">
        {removed && isUndoable && (
          <UndoBar
            key={removed.at}
            at={removed.at}
            lengthMs={undoMs}
            describe={(seconds) => t('removedForNow', { reference: removed.reference, seconds })}
            label={t('undo')}
            onUndo={() => void handleUndo(removed)}
            onOver={endUndo}
          />
        )}
      </div>
      {isReview ? (
        <p className="mb-6 max-w-prose text-ink-2">{t('toVerifyText')}</p>
      ) : (
        <>
          {waiting.suspected > 0 && (
            <p className="mb-5">
              <Link
                to={`${listPath}?status=suspected`}
                className="inline-block py-0.5 font-bold text-brand underline underline-offset-4"
              >
                {`${t('toVerify')} (${waiting.suspected})`}
              </Link>
            </p>
          )}
          <FilterForm>
            <SearchField label={t('search')} placeholder={t('searchHint')} value={valueOf('search')} />
            <SelectField label={t('status')} name="status" defaultValue={valueOf('status')}>
              <option value="">{t('anyStatus')}</option>
              {applicationStatuses.map((status) => (
                <option key={status} value={status}>
                  {statusLabels[status][language]}
                </option>
              ))}
            </SelectField>
            <FilterButton>{t('filter')}</FilterButton>
            {isFiltered && <ClearFilter to={listPath}>{t('clear')}</ClearFilter>}
          </FilterForm>
        </>
      )}
      {rows.length === 0 ? (
        <Nothing isReview={isReview} isFiltered={isFiltered} />
      ) : (
        <div className="grid gap-6">
          <Table
            caption={t('title')}
            rows={rows}
            rowKey={(row) => row.id_application}
            onOpen={(row) => void navigate(pathOf(row))}
            columns={[
              {
                header: t('name'),
                isRowHeader: true,
                cell: (row) => (
                  <Link to={pathOf(row)} className="wrap-anywhere font-bold text-brand underline underline-offset-2">
                    {row.name}
                  </Link>
                ),
              },
              { header: t('position'), isText: true, cell: (row) => row.job_title },
              {
                header: t('status'),
                cell: ({ status }) => <Badge tone={statusTones[status]}>{statusLabels[status][language]}</Badge>,
              },
              { header: t('files'), cell: (row) => row.file_count },
              { header: t('received'), cell: (row) => <Moment at={row.created_at} /> },
              { header: t('reference'), cell: (row) => <span className="tabular">{row.reference}</span> },
            ]}
          />
          <Pagination page={Number(query.get('page') ?? 1)} count={Math.ceil(total / applicationsPerPage)} to={toPage} />
        </div>
      )}
    </>
  )
}

function Nothing({ isReview, isFiltered }: { isReview: boolean; isFiltered: boolean }) {
  const t = useTexts(adminApplicationTexts)
  if (isReview) return <EmptyState title={t('nothingToVerify')}>{t('emptyHint')}</EmptyState>
  return <EmptyState title={t(isFiltered ? 'noMatch' : 'empty')}>{t(isFiltered ? 'noMatchHint' : 'emptyHint')}</EmptyState>
}
