import { SelectField } from '#src/ui/forms/field.tsx'
import { SearchIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Column } from '#src/ui/components/table.tsx'
import { entryTexts } from '../entry-texts.ts'
import type { useListState } from './list-state.ts'

type ListControlsProps = {
  list: ReturnType<typeof useListState>
  columns: Pick<Column<never>, 'header' | 'sortKey'>[]
  /** How many rows are left. */
  count: number
}

/** What narrows a list. The choice of an order is for phones, where the columns have no heads to press. */
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
