import { company } from '#company/company.ts'
import { csvFile } from '#src/lib/text/escape.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import { saveFile } from '#src/ui/download-file.ts'
import { hasRight } from '#src/lib/rights.ts'
import { ButtonAnchor, ButtonLink, Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { buttonTexts, entryTexts } from '../texts.ts'
import { OrderButton } from '../order/web/order-dialog.tsx'
import { AdminHead } from './admin-head.tsx'
import { useRights, useRight } from './admin-context.ts'
import type { EntryColumn } from './list-controls.tsx'
import { ListControls, useFoundEntries, useListState, useShownRows } from './list-controls.tsx'
import type { ReactNode } from 'react'
import { useState, useRef } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Area } from '#src/lib/rights.ts'

import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { ExternalIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { hideSavedNotice, Toast } from '#src/ui/components/toast.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import type { ShouldRevalidateFunctionArgs } from 'react-router'

type EntryListProps<Row> = EntryTableProps<Row> & {
  createPath: string
  backTo?: string
  exported?: ExportedColumn<Row>[]
  /** The rows of the file, where the list shows only some of them. */
  readAll?: () => Promise<readonly Row[]>
  /** Where the order of the rows is changed, and which of them it is about; undefined where they have a fixed order. */
  ordered?: { path: string; has?: (row: Row) => boolean } | undefined
}

/** A column of the file for spreadsheets; a moment comes as the local time of the company, which they take for a date. */
type ExportedColumn<Row> = { header: string; value: (row: Row) => string | number | null; isMoment?: boolean }

/** A page with one list of edited content: title, Retour, Nouveau, and the table. */
export function EntryList<Row>({ createPath, backTo, exported, readAll, ordered, ...table }: EntryListProps<Row>) {
  const t = useTexts(buttonTexts)
  useRight([table.area], 'read_only')
  const canWrite = hasRight(useRights(), table.area, 'read_write')
  const language = useLanguage()
  const { busy, run, toast } = useAction()
  const exportAll = async (columns: ExportedColumn<Row>[]) => {
    const content = csvFile(exportedRows(columns, readAll ? await readAll() : table.rows), language)
    saveFile(`${table.title}.csv`, new Blob([content], { type: 'text/csv' }))
  }
  const inOrder = ordered ? table.rows.filter((row) => ordered.has?.(row) ?? true) : []
  const actions = (
    <>
      {ordered && canWrite && inOrder.length > 1 && (
        <OrderButton path={ordered.path} entries={inOrder.map((row) => ({ id: table.rowKey(row), name: table.rowName(row) }))} />
      )}
      {exported && (readAll || table.rows.length > 0) && (
        <Button
          variant="secondary"
          busy={busy}
          onClick={() => void run(() => exportAll(exported), { failed: t('exportFailed') })}
        >
          {t('export')}
        </Button>
      )}
      {canWrite && <ButtonLink to={createPath}>{t('add')}</ButtonLink>}
    </>
  )
  return (
    <>
      <AdminHead title={table.title} backTo={backTo} actions={actions} />
      <EntryTable {...table} />
      <Toast {...toast} />
    </>
  )
}

/** The heading, then a line for each row. */
export function exportedRows<Row>(columns: readonly ExportedColumn<Row>[], rows: readonly Row[]) {
  const cellOf = ({ value, isMoment }: ExportedColumn<Row>, row: Row) => {
    const found = value(row)
    return isMoment && typeof found === 'string' ? localTime(company.hours.timeZone, new Date(found)).replace('T', ' ') : found
  }
  return [columns.map(({ header }) => header), ...rows.map((row) => columns.map((column) => cellOf(column, row)))]
}

type EntryTableProps<Row> = {
  area: Area
  title: string
  editPath: (row: Row) => string
  /** Label of the delete button, which the specified lists spell differently. */
  editLabel?: string
  rows: readonly Row[]
  rowKey: (row: Row) => number
  rowName: (row: Row) => string
  columns: EntryColumn<Row>[]
  remove: (row: Row) => Promise<unknown>
  /** Its public page; null where visitors have none. */
  publicPath?: (row: Row) => string | null
  /** A further button of a row, where there is something to do with one press. */
  press?: (row: Row) => PressAction | null
  /** The dialog of a deletion that needs more than a question, closed without a row; `onConfirm` takes what deletes the row then. */
  askRemoval?: (
    row: Row | null,
    dialog: { onCancel: () => void; onConfirm: (remove: () => Promise<unknown>) => void },
  ) => ReactNode
  /** Puts a deleted row back; undefined where a deletion is final. */
  undo?: (row: Row) => Promise<unknown>
  emptyTitle: string
  emptyHint: string
}

/** Table of entries with edit and delete buttons for users with write access; search, sort and page live in the address. */
export function EntryTable<Row>(props: EntryTableProps<Row>) {
  const {
    area,
    title,
    editPath,
    rows,
    rowKey,
    rowName,
    columns,
    remove,
    publicPath,
    press,
    askRemoval,
    undo,
    emptyTitle,
    emptyHint,
  } = props
  const t = useTexts(buttonTexts)
  const e = useTexts(entryTexts)
  const navigate = useNavigate()
  const { revalidate, state } = useRevalidator()
  const rights = useRights()
  const canWrite = hasRight(rights, area, 'read_write')
  const list = useListState()
  const [toDelete, setToDelete] = useState<Row | null>(null)
  const { busy, run, toast } = useAction()
  const editLabel = props.editLabel ?? t('edit')

  const handleRemove = async (removeIt: () => Promise<unknown>) => {
    setToDelete(null)
    hideSavedNotice()
    await removeIt()
    await revalidate()
    focusContent()
  }
  const handlePress = async ({ work, done }: PressAction) => {
    hideSavedNotice()
    const workAndRead = async () => {
      await work()
      await revalidate()
    }
    await run(workAndRead, { done, failed: t('saveFailed') })
  }
  const isUndoing = useRef(false)
  const handleUndo = async (row: Row) => {
    if (isUndoing.current) return
    isUndoing.current = true
    const work = async () => {
      await undo?.(row)
      await revalidate()
    }
    await run(work, { done: t('restored'), failed: t('restoreFailed') })
    isUndoing.current = false
    focusContent()
  }
  const undoFor = (row: Row) =>
    undo && (
      <Button variant="link" onClick={() => void handleUndo(row)}>
        {e('undoDeletion')}
      </Button>
    )

  const found = useFoundEntries(area, rows[0] && editPath(rows[0]).replace(String(rowKey(rows[0])), ':id'), list.filter)
  const { count, page, pageCount, shown } = useShownRows(rows, columns, list, (row) => found.has(rowKey(row)))

  const buttons = (row: Row): ReactNode => (
    <>
      <Button
        variant="secondary"
        size="small"
        aria-label={`${editLabel} ${rowName(row)}`}
        onClick={() => void navigate(editPath(row))}
      >
        {editLabel}
      </Button>
      <PublicLink path={publicPath?.(row)} name={rowName(row)} />
      <PressButton action={press?.(row)} name={rowName(row)} onPress={(action) => void handlePress(action)} />
      <Button variant="quiet" size="small" aria-label={`${t('remove')} ${rowName(row)}`} onClick={() => setToDelete(row)}>
        {t('remove')}
      </Button>
    </>
  )

  return (
    <>
      <LoadingOverlay busy={busy || state === 'loading'}>
        {rows.length === 0 ? (
          <EmptyState title={emptyTitle}>{emptyHint}</EmptyState>
        ) : (
          <div className="grid gap-4">
            {rows.length > 1 && <ListControls list={list} columns={columns} count={count} />}
            {shown.length === 0 ? (
              <EmptyState
                title={e('noMatch')}
                action={
                  <Button variant="secondary" onClick={() => list.changeFilter('')}>
                    {e('clearFilter')}
                  </Button>
                }
              />
            ) : (
              <Table
                caption={title}
                columns={columns}
                rows={shown}
                rowKey={rowKey}
                sorting={rows.length > 1 ? list.sorting : undefined}
                onOpen={canWrite ? (row) => void navigate(editPath(row)) : undefined}
                actions={canWrite ? { header: t('actions'), cell: buttons } : undefined}
              />
            )}
            <Pagination page={page} count={pageCount} to={list.toPage} />
          </div>
        )}
      </LoadingOverlay>
      <div>
        {askRemoval?.(toDelete, {
          onCancel: () => setToDelete(null),
          onConfirm: (removeIt) => void run(() => handleRemove(removeIt), { done: t('deleted'), failed: t('deleteFailed') }),
        })}
      </div>
      <ConfirmDialog
        open={toDelete !== null && !askRemoval}
        title={toDelete ? e('confirmDelete', { name: rowName(toDelete) }) : undefined}
        confirmLabel={t('remove')}
        consequence={undo ? e('deletionCanBeUndone') : 'final'}
        onCancel={() => setToDelete(null)}
        onConfirm={() =>
          toDelete &&
          void run(() => handleRemove(() => remove(toDelete)), {
            done: t('deleted'),
            action: undoFor(toDelete),
            failed: t('deleteFailed'),
          })
        }
      />
      <Toast {...toast} />
    </>
  )
}

function PublicLink({ path, name }: { path: string | null | undefined; name: string }) {
  const t = useTexts(buttonTexts)
  if (!path) return null
  return (
    <ButtonAnchor variant="quiet" size="small" href={path} title={t('seePublic')} aria-label={`${t('seePublic')}, ${name}`}>
      <ExternalIcon />
      <span className="table-words">{t('seePublic')}</span>
    </ButtonAnchor>
  )
}

type PressAction = { label: string; done: string; work: () => Promise<unknown> }
type PressButtonProps = { action: PressAction | null | undefined; name: string; onPress: (action: PressAction) => void }

function PressButton({ action, name, onPress }: PressButtonProps) {
  if (!action) return null
  return (
    <Button variant="secondary" size="small" aria-label={`${action.label} ${name}`} onClick={() => onPress(action)}>
      {action.label}
    </Button>
  )
}

/** After a pressed button disappeared, with its row or its notice. */
const focusContent = () => document.querySelector<HTMLElement>('#content')?.focus()

/** For list pages: sorting, filtering and paging change the address, not the rows. */
export function cacheRows({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isSameList = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
  return isSameList ? false : defaultShouldRevalidate
}

const olderKey = 'anciens'

/** The page of older entries that an address asks for; 0 for the recent ones. */
export const olderOf = (query: URLSearchParams) => Math.max(0, Math.floor(Number(query.get(olderKey)) || 0))

/** Search, sort and page of the table need no new rows; another page of older entries does. */
export function cacheRecentRows(change: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl } = change
  return olderOf(currentUrl.searchParams) === olderOf(nextUrl.searchParams) ? cacheRows(change) : true
}

type OlderEntriesProps = { older: number; pages: number; olderLabel: string; recentLabel: string }

/** Leads from the recent entries to the older ones, page by page, and back. */
export function OlderEntries({ older, pages, olderLabel, recentLabel }: OlderEntriesProps) {
  return (
    <>
      <p className="mt-4">
        <Link className="text-brand underline" to={older ? '?' : `?${olderKey}=1`}>
          {older ? recentLabel : olderLabel}
        </Link>
      </p>
      {older > 0 && <Pagination page={older} count={pages} to={(page) => `?${olderKey}=${page}`} />}
    </>
  )
}
