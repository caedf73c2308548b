import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Area } from '#src/features/groups/values.ts'
import { hasRight } from '#src/features/groups/values.ts'
import { Button, ButtonLink } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import type { Failure } from '#src/ui/failures.ts'
import { failureOf, failureTexts } from '#src/ui/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { LoadingOverlay } from '#src/ui/loading-overlay.tsx'
import type { Column } from '#src/ui/table.tsx'
import { Table } from '#src/ui/table.tsx'
import { Toast } from '#src/ui/toast.tsx'
import { adminTexts } from '../admin-texts.ts'
import { entryTexts } from '../entry-texts.ts'
import { AdminHead } from './admin-head.tsx'
import { useProfile } from './admin-layout.tsx'

type EntryListProps<Row> = {
  area: Area
  title: string
  backTo?: string
  createPath: string
  editPath: (row: Row) => string
  rows: readonly Row[]
  rowKey: (row: Row) => number
  rowName: (row: Row) => string
  columns: Column<Row>[]
  remove: (row: Row) => Promise<unknown>
  emptyTitle: string
  emptyHint: string
}

/** A list of edited content: its table, Nouveau, and Éditer and Effacer on each row, for who may write (spec.md 2.6). */
export function EntryList<Row>(props: EntryListProps<Row>) {
  const { area, title, backTo, createPath, editPath, rows, rowKey, rowName, columns, remove, emptyTitle, emptyHint } = props
  const t = useTexts(adminTexts)
  const e = useTexts(entryTexts)
  const f = useTexts(failureTexts)
  const navigate = useNavigate()
  const { revalidate, state } = useRevalidator()
  const canWrite = hasRight(useProfile().rights, area, 'read_write')
  const [asked, setAsked] = useState<Row | null>(null)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Failure | 'deleted' | null>(null)

  const handleRemove = async () => {
    if (!asked) return
    setAsked(null)
    setBusy(true)
    try {
      await remove(asked)
      setOutcome('deleted')
      await revalidate()
    } catch (error) {
      console.warn(error)
      setOutcome(failureOf(error))
    } finally {
      setBusy(false)
    }
  }

  const create = canWrite && <ButtonLink to={createPath}>{t('add')}</ButtonLink>
  return (
    <>
      <AdminHead title={title} backTo={backTo} actions={create} />
      <LoadingOverlay busy={busy || state === 'loading'}>
        {rows.length === 0 ? (
          <EmptyState title={emptyTitle} action={create}>
            {emptyHint}
          </EmptyState>
        ) : (
          <Table
            caption={title}
            columns={columns}
            rows={rows}
            rowKey={rowKey}
            actions={
              canWrite
                ? {
                    header: t('actions'),
                    cell: (row) => (
                      <>
                        <Button
                          variant="secondary"
                          size="small"
                          aria-label={`${t('edit')} ${rowName(row)}`}
                          onClick={() => void navigate(editPath(row))}
                        >
                          {t('edit')}
                        </Button>
                        <Button variant="danger" size="small" aria-label={`${t('remove')} ${rowName(row)}`} onClick={() => setAsked(row)}>
                          {t('remove')}
                        </Button>
                      </>
                    ),
                  }
                : undefined
            }
          />
        )}
      </LoadingOverlay>
      <ConfirmDialog
        open={asked !== null}
        title={asked ? e('confirmDelete', { name: rowName(asked) }) : undefined}
        confirmLabel={t('remove')}
        onCancel={() => setAsked(null)}
        onConfirm={() => void handleRemove()}
      />
      <Toast status={outcome === null ? null : outcome === 'deleted' ? 'success' : 'error'} onHide={() => setOutcome(null)}>
        {outcome === 'deleted' ? t('deleted') : outcome && f(outcome)}
      </Toast>
    </>
  )
}
