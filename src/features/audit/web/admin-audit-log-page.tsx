import './audit-log.css'
import { useState } from 'react'
import { useNavigation, useRevalidator, useSearchParams } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { ClearFilter, FilterButton, FilterForm, useFilter } from '#src/features/content/web/filter-form.tsx'
import { ReuseDialog } from '#src/features/content/versions/web/entry-versions.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { changeQuery, describeTotal, mostCounted, pickQuery } from '#src/lib/lists.ts'
import type { Area } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { AuditEntry, FormerJournal, Verification } from '../contract.ts'
import { texts } from '../texts.ts'
import { auditPageSize } from '../values.ts'
import type { Route } from './+types/admin-audit-log-page.ts'
import { AuditEntryItem, useAuditLabels } from './audit-entry.tsx'
import { FormerJournals } from './former-journals.tsx'

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = pickQuery(new URL(request.url).searchParams, [...filterNames, ...placeNames])
  const [{ rows, total }, formerJournals] = await Promise.all([
    getPage(`/api/audit/entries${query}`),
    getJson<FormerJournal[]>('/api/audit/former'),
  ])
  return { entries: rows as AuditEntry[], total, formerJournals }
}

/** `/admin/journal`: author, action, entry, old and new values, time and address of each event. */
export default function AdminAuditLogPage({ loaderData: { entries, total, formerJournals } }: Route.ComponentProps) {
  const t = useTexts(texts)
  const { entryName, mayChange } = useAuditLabels()
  const [former, setFormer] = useState<number | null>(null)
  const { rights } = useProfile()
  const { state } = useNavigation()
  const { revalidate } = useRevalidator()
  const [query] = useSearchParams()
  const [selected, setSelected] = useState<AuditEntry | null>(null)
  const { busy, run, toast } = useAction()
  const isFiltered = filterNames.some((name) => query.get(name))

  const handleUndo = async ({ id_entry: id }: AuditEntry) => {
    setSelected(null)
    await callApi('POST', `/api/audit/entries/${id}/restore`)
    await revalidate()
  }

  return (
    <>
      <AdminHead title={t('title')} subtitle={describeTotal(t, total)} backTo="/admin/panel" actions={<VerificationButton />} />
      <AuditFilter />
      <LoadingOverlay busy={busy || state === 'loading'}>
        {entries.length === 0 ? (
          <EmptyState title={t(isFiltered ? 'noMatch' : 'empty')}>{!isFiltered && t('emptyHint')}</EmptyState>
        ) : (
          <div className="grid gap-6">
            <ol className="card">
              {entries.map((entry) => (
                <AuditEntryItem
                  key={entry.id_entry}
                  entry={entry}
                  onUndo={
                    entry.restorable && hasRight(rights, entry.area as Area, 'read_write') ? () => setSelected(entry) : null
                  }
                  onReuse={entry.reusable && mayChange(entry) ? () => setFormer(entry.id_entry) : null}
                />
              ))}
            </ol>
            <Pagination
              page={Number(query.get('page')) || 1}
              count={Math.ceil(Math.min(total, mostCounted - 1) / auditPageSize)}
              to={(page) =>
                `/admin/journal${pickQuery(changeQuery(query, { page: String(page) }), [...filterNames, ...placeNames])}`
              }
            />
            {total >= mostCounted && (
              <p className="text-center">
                <Link
                  className="text-brand underline"
                  to={`/admin/journal${pickQuery(changeQuery(query, { after: String(entries.at(-1)?.id_entry), page: null }), [...filterNames, ...placeNames])}`}
                >
                  {t('further')}
                </Link>
              </p>
            )}
          </div>
        )}
      </LoadingOverlay>
      {formerJournals.length > 0 && <FormerJournals journals={formerJournals} />}
      <UndoDialog
        name={selected && entryName(selected)}
        onCancel={() => setSelected(null)}
        onConfirm={() => selected && void run(() => handleUndo(selected), { done: t('undone') })}
      />
      <ReuseDialog idEntry={former} onClose={() => setFormer(null)} onReused={() => void revalidate()} />
      <Toast {...toast} />
    </>
  )
}

const brokenTexts = {
  changed: 'broken',
  sealed: 'brokenSealed',
  missing: 'brokenMissing',
  unsealed: 'brokenUnsealed',
} as const

/** Verifies the hash chain of the audit log, from where it was verified last or as a whole, and shows the result. */
function VerificationButton() {
  const t = useTexts(texts)
  const f = useTexts(failureTexts)
  const [progress, setProgress] = useState<Verification | null>(null)
  const [found, setFound] = useState<Verification | Failure | null>(null)
  const [busy, setBusy] = useState(false)

  const handleCheck = async (from: 'start' | 'last') => {
    setBusy(true)
    setFound(null)
    try {
      const ask = () => getJson<Verification>(`/api/audit/verification?from=${from}&wait=1`)
      let result = await ask()
      for (; !result.is_complete; result = await ask()) setProgress(result)
      setFound(result)
    } catch (error) {
      console.warn(error)
      setFound(failureOf(error))
    } finally {
      setBusy(false)
      setProgress(null)
    }
  }
  const isWhole = typeof found === 'object' && found?.broken_at === null
  const describe = ({ lines, lines_before: before, broken_at: broken, reason }: Verification) => {
    if (broken !== null) return t(brokenTexts[reason ?? 'changed'], { id: broken })
    return before > 0 ? t('verifiedSince', { count: lines - before, before }) : t('verified', { count: lines })
  }

  return (
    <>
      <p role="status" className="tabular text-sm text-ink-2">
        {progress && t('verifying', { done: progress.lines, total: progress.total })}
      </p>
      <Button variant="secondary" busy={busy} onClick={() => void handleCheck('last')}>
        {t('verify')}
      </Button>
      <Toast status={found === null ? null : isWhole ? 'success' : 'error'} onHide={() => setFound(null)}>
        <span>{typeof found === 'string' ? f(found) : found && describe(found)}</span>
        {typeof found === 'object' && isWhole && (found?.lines_before ?? 0) > 0 && (
          <button type="button" className="ms-3 font-bold text-brand underline" onClick={() => void handleCheck('start')}>
            {t('verifyAll')}
          </button>
        )}
      </Toast>
    </>
  )
}

const placeNames = ['sort', 'page', 'after'] as const
const filterNames = ['area', 'action', 'entry', 'who', 'from', 'to'] as const

/** Filters of the audit log. */
function AuditFilter() {
  const t = useTexts(texts)
  const { areas, actions, areaName, actionName } = useAuditLabels()
  const { valueOf, isFiltered } = useFilter(filterNames)
  const entry = valueOf('entry')
  return (
    <FilterForm>
      <SelectField label={t('area')} name="area" defaultValue={valueOf('area')}>
        <option value="">{t('anyArea')}</option>
        {areas.map((area) => (
          <option key={area} value={area}>
            {areaName(area)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('action')} name="action" defaultValue={valueOf('action')}>
        <option value="">{t('anyAction')}</option>
        {actions.map((action) => (
          <option key={action} value={action}>
            {actionName(action)}
          </option>
        ))}
      </SelectField>
      <TextField label={t('who')} type="search" name="who" defaultValue={valueOf('who')} maxLength={200} />
      <SelectField label={t('sort')} name="sort" defaultValue={valueOf('sort').replace(/^-at$/, '')}>
        <option value="">{t('sortNewest')}</option>
        <option value="at">{t('sortOldest')}</option>
      </SelectField>
      <TextField label={t('from')} type="date" name="from" defaultValue={valueOf('from')} />
      <TextField label={t('to')} type="date" name="to" defaultValue={valueOf('to')} />
      <div className="col-span-full flex flex-wrap items-center gap-4 md:col-span-1">
        {entry && <input type="hidden" name="entry" value={entry} />}
        <FilterButton>{t('filter')}</FilterButton>
        {isFiltered && <ClearFilter to="/admin/journal">{t('clear')}</ClearFilter>}
      </div>
    </FilterForm>
  )
}

type UndoDialogProps = {
  /** The entry to restore; null where none is selected. */
  name: string | null
  onCancel: () => void
  onConfirm: () => void
}

function UndoDialog({ name, onCancel, onConfirm }: UndoDialogProps) {
  const t = useTexts(texts)
  return (
    <Dialog
      open={name !== null}
      onClose={onCancel}
      role="alertdialog"
      title={t('undoTitle', { name: name ?? '' })}
      actions={
        <>
          <Button variant="secondary" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button onClick={onConfirm}>{t('restore')}</Button>
        </>
      }
    >
      <p>{t('undoQuestion')}</p>
    </Dialog>
  )
}
