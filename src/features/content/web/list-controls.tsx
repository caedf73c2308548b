import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { entryTexts } from '../texts.ts'
import { useFeatures } from './admin-context.ts'
import { useState, useEffect } from 'react'
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import type { Area } from '#src/lib/rights.ts'
import type { FoundEntry } from '#src/lib/schemas.ts'
import { getJson } from '#src/ui/api.ts'
import { filterRows, sortRows, changeQuery } from '#src/lib/lists.ts'
import { SearchIcon } from '#src/ui/components/icons.tsx'
import type { Column } from '#src/ui/components/table.tsx'
import { SelectField } from '#src/ui/forms/field.tsx'

const pageSize = 20

export type EntryColumn<Row> = Column<Row> & {
  /** Text that the column is searched and, with a `sortKey`, sorted by. */
  text?: (row: Row) => string
  /** Sort key, where it is not the text. */
  sortBy?: (row: Row) => string
}

const pause = 150

/** The entries that the search finds by their whole text, by other forms of the words or in the other language. */
export function useFoundEntries(area: Area, path: string | undefined, filter: string): ReadonlySet<number> {
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
export function useShownRows<Row>(
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

/** Filter and sort controls of a list. The sort select is there for cards, which have no headings. */
export function ListControls({ list, columns, count }: ListControlsProps) {
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

/** Search, sort and page of a list, stored in the address so that history and shared links restore the view. */
export function useListState() {
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
