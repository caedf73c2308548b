import { hasRight } from '#src/lib/rights.ts'
import { ButtonLink, Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { buttonTexts, entryTexts } from '../texts.ts'
import { AdminHead } from './admin-head.tsx'
import { useRights, useRight, useFeatures } from './admin-context.ts'
import type { ReactNode } from 'react'
import { useState, useEffect, useRef } from 'react'
import { useNavigate, useRevalidator, NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import type { Area } from '#src/lib/rights.ts'
import type { FoundEntry } from '#src/lib/schemas.ts'
import { getJson } from '#src/ui/api.ts'
import { filterRows, sortRows, changeQuery } from '#src/lib/lists.ts'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { SearchIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { hideSavedNotice, Toast } from '#src/ui/components/toast.tsx'
import type { Column } from '#src/ui/components/table.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { SelectField } from '#src/ui/forms/field.tsx'
import type { ShouldRevalidateFunctionArgs } from 'react-router'

type EntryListProps<Row> = EntryTableProps<Row> & { createPath: string; backTo?: string }

/** A page with one list of edited content: title, Retour, Nouveau, and the table (R-77, R-82, R-84). */
export function EntryList<Row>({ createPath, backTo, ...table }: EntryListProps<Row>) {
  const t = useTexts(buttonTexts)
  useRight([table.area], 'read_only')
  const canWrite = hasRight(useRights(), table.area, 'read_write')
  return (
    <>
      <AdminHead title={table.title} backTo={backTo} actions={canWrite && <ButtonLink to={createPath}>{t('add')}</ButtonLink>} />
      <EntryTable {...table} />
    </>
  )
}

const pageSize = 20

type EntryColumn<Row> = Column<Row> & {
  /** Text that the column is searched and, with a `sortKey`, sorted by. */
  text?: (row: Row) => string
  /** Sort key, where it is not the text. */
  sortBy?: (row: Row) => string
}

type EntryTableProps<Row> = {
  area: Area
  title: string
  editPath: (row: Row) => string
  /** Label of the delete button, which the specified lists spell differently (R-77, R-84). */
  editLabel?: string
  rows: readonly Row[]
  rowKey: (row: Row) => number
  rowName: (row: Row) => string
  columns: EntryColumn<Row>[]
  remove: (row: Row) => Promise<unknown>
  /** Puts a deleted row back; undefined where a deletion is final. */
  undo?: (row: Row) => Promise<unknown>
  emptyTitle: string
  emptyHint: string
}

/** Table of entries with edit and delete buttons for users with write access; search, sort and page live in the address. */
export function EntryTable<Row>(props: EntryTableProps<Row>) {
  const { area, title, editPath, rows, rowKey, rowName, columns, remove, undo, emptyTitle, emptyHint } = props
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

  const handleRemove = async (row: Row) => {
    setToDelete(null)
    hideSavedNotice()
    await remove(row)
    await revalidate()
    focusContent()
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
      <ConfirmDialog
        open={toDelete !== null}
        title={toDelete ? e('confirmDelete', { name: rowName(toDelete) }) : undefined}
        confirmLabel={t('remove')}
        question={undo ? e('deletionCanBeUndone') : undefined}
        onCancel={() => setToDelete(null)}
        onConfirm={() =>
          toDelete &&
          void run(() => handleRemove(toDelete), { done: t('deleted'), action: undoFor(toDelete), failed: t('deleteFailed') })
        }
      />
      <Toast {...toast} />
    </>
  )
}

/** After a pressed button disappeared, with its row or its notice. */
const focusContent = () => document.querySelector<HTMLElement>('#content')?.focus()

const pause = 150

/** The entries that the search finds by their whole text, by other forms of the words or in the other language. */
function useFoundEntries(area: Area, path: string | undefined, filter: string): ReadonlySet<number> {
  const language = useLanguage()
  const kind = useFeatures()
    .flatMap(({ entries = [] }) => entries)
    .find((one) => one.isContent && one.area === area && one.path === path)
  const isSearched = kind !== undefined && filter.trim().length > 1
  const [found, setFound] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    setFound(new Set())
    if (!isSearched) return
    const left = new AbortController()
    const query = new URLSearchParams({ q: filter, language, area, limit: '50' }).toString()
    const timer = setTimeout(() => {
      getJson<FoundEntry[]>(`/api/search?${query}`, left.signal).then(
        (entries) => setFound(new Set(entries.filter((one) => one.kind === (kind?.kind ?? null)).map(({ id }) => id))),
        // The rows that have the words as they were typed are shown without it.
        (error: unknown) => left.signal.aborted || console.warn(error),
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [isSearched, filter, language, area, kind?.kind])
  return found
}

/** The rows selected by the query of the address: filtered, sorted, one page. */
function useShownRows<Row>(
  rows: readonly Row[],
  columns: EntryColumn<Row>[],
  list: ReturnType<typeof useListState>,
  isFound: (row: Row) => boolean,
) {
  const language = useLanguage()
  const hasWords = filterRows(rows, list.filter, (row) => columns.map((column) => column.text?.(row) ?? '').join(' '))
  const others = rows.filter((row) => isFound(row) && !hasWords.includes(row))
  const found = others.length > 0 ? [...hasWords, ...others] : hasWords
  const sortedBy = columns.find((column) => column.sortKey === list.sorting.key)
  const sortText = sortedBy?.sortBy ?? sortedBy?.text
  const sorted = sortText ? sortRows(found, sortText, list.sorting.descending, language) : found
  const pageCount = Math.ceil(sorted.length / pageSize)
  const page = Math.min(list.page, Math.max(pageCount, 1))
  return { count: sorted.length, page, pageCount, shown: sorted.slice((page - 1) * pageSize, page * pageSize) }
}

type ListControlsProps = {
  list: ReturnType<typeof useListState>
  columns: Pick<Column<never>, 'header' | 'sortKey'>[]
  /** Number of filtered rows. */
  count: number
}

/** Filter and sort controls of a list. The sort select is for phones, where columns have no headings. */
function ListControls({ list, columns, count }: ListControlsProps) {
  const e = useTexts(entryTexts)
  const { key, descending } = list.sorting
  const sortable = columns.filter((column) => column.sortKey)
  return (
    <div role="search" className="grid gap-3 sm:max-w-sm">
      <div className="search-box">
        <SearchIcon />
        <input
          type="search"
          className="input"
          aria-label={e('filter')}
          placeholder={e('filter')}
          value={list.filter}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => list.changeFilter(event.target.value)}
        />
      </div>
      {sortable.length > 0 && (
        <SelectField
          label={e('sortBy')}
          className="sm:hidden"
          value={key ? `${descending ? '-' : ''}${key}` : ''}
          onChange={(event) => list.changeSort(event.target.value)}
        >
          <option value="">{e('sortDefault')}</option>
          {sortable.flatMap(({ header, sortKey = '' }) => [
            <option key={sortKey} value={sortKey}>
              {e('ascending', { column: header })}
            </option>,
            <option key={`-${sortKey}`} value={`-${sortKey}`}>
              {e('descending', { column: header })}
            </option>,
          ])}
        </SelectField>
      )}
      <p role="status" className="sr-only">
        {e('rowCount', { count })}
      </p>
    </div>
  )
}

/** For list pages: sorting, filtering and paging change the address, not the rows. */
export function cacheRows({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isSameList = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
  return isSameList ? false : defaultShouldRevalidate
}

/** Search, sort and page of a list, stored in the address so that history and shared links restore the view. */
function useListState() {
  const { pathname, key } = useLocation()
  const [query, setQuery] = useSearchParams()
  // Typed text is local state: the address updates too late for fast typing.
  const search = query.get('q') ?? ''
  const [filter, setFilter] = useState(search)
  const arrival = useNavigationType()
  useEffect(() => {
    // The address changed by a link or the history; typing only replaces the address.
    if (arrival !== NavigationType.Replace) setFilter(search)
  }, [arrival, search, key])
  const sort = query.get('sort')
  const address = (changes: Record<string, string | null>) => changeQuery(query, changes)

  return {
    filter,
    changeFilter: (text: string) => {
      setFilter(text)
      setQuery(address({ q: text || null, page: null }), { replace: true, preventScrollReset: true })
    },
    sorting: {
      key: sort?.replace(/^-/, '') ?? null,
      descending: sort?.startsWith('-') ?? false,
      to: (key: string) => `${pathname}?${String(address({ sort: sort === key ? `-${key}` : key, page: null }))}`,
    },
    changeSort: (value: string) =>
      setQuery(address({ sort: value || null, page: null }), { replace: true, preventScrollReset: true }),
    page: Math.max(1, Number(query.get('page')) || 1),
    toPage: (page: number) => `${pathname}?${String(address({ page: page > 1 ? String(page) : null }))}`,
  }
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
