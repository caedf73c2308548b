import type { MouseEvent, ReactNode } from 'react'
import { ChevronIcon } from './icons.tsx'
import { Link } from './link.tsx'

export type Column<Row> = {
  /** Name of the column; on a phone it is above each cell. */
  header: string
  cell: (row: Row) => ReactNode
  /** The cell that names the row. */
  isRowHeader?: boolean
  className?: string
  /** Name of the column in the list's address, where the list can be sorted by it. */
  sortKey?: string
}

export type Sorting = {
  key: string | null
  descending: boolean
  /** The address of the list sorted by a column. */
  to: (key: string) => string
}

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Buttons at the end of each row, under a column that this names. */
  actions?: { header: string; cell: (row: Row) => ReactNode }
  sorting?: Sorting | undefined
  /** Opens a row that is pressed outside its links and buttons; the keyboard has those. */
  onOpen?: ((row: Row) => void) | undefined
  /** Many columns: can be scrolled by keyboard where they do not fit. */
  isWide?: boolean
}

/** Explicit roles keep the table semantics where the phone layout sets `display: block` on rows. */
export function Table<Row>({ caption, columns, rows, rowKey, actions, sorting, onOpen, isWide = false }: TableProps<Row>) {
  return (
    <div className="card overflow-x-auto" {...(isWide && { role: 'region', 'aria-label': caption, tabIndex: 0 })}>
      <table className="table" role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <HeaderCell key={column.header} column={column} sorting={sorting} />
            ))}
            {actions && (
              <th role="columnheader" scope="col">
                <span className="sr-only">{actions.header}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              {...(onOpen && { className: 'cursor-pointer', onClick: (event) => isPressOnRow(event) && onOpen(row) })}
            >
              {columns.map((column) => (
                <Cell key={column.header} column={column}>
                  {column.cell(row)}
                </Cell>
              ))}
              {actions && (
                <td role="cell">
                  <div className="table-actions">{actions.cell(row)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Not on a link or a field in the row, and not the end of selecting its text. */
function isPressOnRow({ target, currentTarget }: MouseEvent<HTMLElement>) {
  const isOwn = target instanceof Element && !target.closest('a, button, input, select, textarea, label, summary')
  const selection = getSelection()
  return isOwn && (!selection || selection.isCollapsed || !selection.containsNode(currentTarget, true))
}

type HeaderCellProps<Row> = { column: Column<Row>; sorting: Sorting | undefined }

function HeaderCell<Row>({ column: { header, className, sortKey }, sorting }: HeaderCellProps<Row>) {
  if (!sorting || !sortKey) {
    return (
      <th role="columnheader" scope="col" className={className}>
        {header}
      </th>
    )
  }
  const isSorted = sorting.key === sortKey
  return (
    <th
      role="columnheader"
      scope="col"
      className={className}
      aria-sort={isSorted ? (sorting.descending ? 'descending' : 'ascending') : undefined}
    >
      <Link to={sorting.to(sortKey)} replace preventScrollReset className="table-sort">
        <span>{header}</span>
        <ChevronIcon size={16} className={isSorted ? (sorting.descending ? '' : 'rotate-180') : 'opacity-0'} />
      </Link>
    </th>
  )
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  return column.isRowHeader ? (
    <th role="rowheader" scope="row" data-label={column.header} className={column.className}>
      {children}
    </th>
  ) : (
    <td role="cell" data-label={column.header} className={column.className}>
      {children}
    </td>
  )
}
