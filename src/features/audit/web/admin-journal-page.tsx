import { useState } from 'react'
import { useNavigation, useRevalidator, useSearchParams } from 'react-router'
import type { Area } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/use-profile.ts'
import { changeQuery, pickQuery } from '#src/lib/query.ts'
import { callApi, getPage } from '#src/ui/api.ts'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { LoadingOverlay } from '#src/ui/components/loading-overlay.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import type { JournalEntry } from '../contract.ts'
import { texts } from '../texts.ts'
import { journalPageSize } from '../values.ts'
import type { Route } from './+types/admin-journal-page.ts'
import { ChainCheck } from './chain-check.tsx'
import { useNames } from './use-names.ts'
import { filterNames, JournalFilter } from './journal-filter.tsx'
import { JournalLine } from './journal-line.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import './journal.css'

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = pickQuery(new URL(request.url).searchParams, [...filterNames, 'sort', 'page'])
  const { rows, total } = await getPage(`/api/audit/entries${query}`)
  return { lines: rows as JournalEntry[], total }
}

/** `/admin/journal`: who did what to which entry, before and after, when and from where. */
export default function AdminJournalPage({ loaderData: { lines, total } }: Route.ComponentProps) {
  const t = useTexts(texts)
  const { entryName } = useNames()
  const { rights } = useProfile()
  const { state } = useNavigation()
  const { revalidate } = useRevalidator()
  const [query] = useSearchParams()
  const [asked, setAsked] = useState<JournalEntry | null>(null)
  const { busy, run, toast } = useAction()
  const isFiltered = filterNames.some((name) => query.get(name))

  const handleUndo = async ({ id_entry: id }: JournalEntry) => {
    setAsked(null)
    await callApi('POST', `/api/audit/entries/${id}/restore`)
    await revalidate()
  }

  return (
    <>
      <AdminHead title={t('title')} subtitle={t('count', { count: total })} backTo="/admin/panel" actions={<ChainCheck />} />
      <JournalFilter />
      <LoadingOverlay busy={busy || state === 'loading'}>
        {lines.length === 0 ? (
          <EmptyState title={t(isFiltered ? 'noMatch' : 'empty')}>{!isFiltered && t('emptyHint')}</EmptyState>
        ) : (
          <div className="grid gap-6">
            <ol className="card">
              {lines.map((line) => (
                <JournalLine
                  key={line.id_entry}
                  line={line}
                  onUndo={line.restorable && hasRight(rights, line.area as Area, 'read_write') ? () => setAsked(line) : null}
                />
              ))}
            </ol>
            <Pagination
              page={Number(query.get('page')) || 1}
              count={Math.ceil(total / journalPageSize)}
              to={(page) =>
                `/admin/journal${pickQuery(changeQuery(query, { page: String(page) }), [...filterNames, 'sort', 'page'])}`
              }
            />
          </div>
        )}
      </LoadingOverlay>
      <UndoDialog
        name={asked && entryName(asked)}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked && void run(() => handleUndo(asked), { done: t('undone') })}
      />
      <Toast {...toast} />
    </>
  )
}
