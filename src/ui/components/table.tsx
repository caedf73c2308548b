import './table.css'
import type { MouseEvent, ReactNode } from 'react'
import { ChevronIcon } from './icons.tsx'
import { Link } from './link.tsx'

export type Column<Row> = {
  /** Name of the column; on a phone it is above each cell. */
  header: string
  cell: (row: Row) => ReactNode
  /** The cell that names the row. */
  isRowHeader?: boolean
  /** A name that is a number or a date. */
  isShort?: boolean
  /** A text that is read, not looked up: like the name of the row it keeps the width of 16 characters. */
  isText?: boolean
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
  /** Opens a row pressed outside its links and buttons, which the keyboard has; without it the link of its name is followed. */
  onOpen?: ((row: Row) => void) | undefined
  /** Figures compared down their columns: cards on a phone alone; scrolled, by keyboard too, where they do not fit. */
  isWide?: boolean
}

/** Widths from which a table fits, in rem: the classes of `table.css`. */
const steps = [36, 44, 52, 60, 70, 84]
const textWidth = 13
const otherWidth = 7.5
const actionsWidth = 11

const isRead = ({ isRowHeader, isShort, isText }: Pick<Column<never>, 'isRowHeader' | 'isShort' | 'isText'>) =>
  isText || (isRowHeader && !isShort)

/** The class by which a table becomes cards where its columns would not fit. */
export function fittingClass(columns: readonly Pick<Column<never>, 'isRowHeader' | 'isShort' | 'isText'>[], hasActions: boolean) {
  const widths = columns.map((column) => (isRead(column) ? textWidth : otherWidth))
  const needed = widths.reduce((sum, width) => sum + width, hasActions ? actionsWidth : 0)
  return `table-${steps.find((step) => step >= needed) ?? steps.at(-1)}`
}

/** Explicit roles keep the table semantics where rows are cards. */
export function Table<Row>({ caption, columns, rows, rowKey, actions, sorting, onOpen, isWide = false }: TableProps<Row>) {
  return (
    <div className="card table-frame" {...(isWide && { role: 'region', 'aria-label': caption, tabIndex: 0 })}>
      <table className={`table ${isWide ? 'table-36' : fittingClass(columns, actions !== undefined)}`} role="table">
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
              className={onOpen && 'cursor-pointer'}
              onClick={(event) => {
                if (!isPressOnRow(event)) return
                if (onOpen) onOpen(row)
                else followName(event)
              }}
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

/** Follows the link of the row's name as if it were pressed: with Ctrl, in another tab. */
function followName({ currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>) {
  const press = new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey })
  currentTarget.querySelector('th[scope="row"] a[href]')?.dispatchEvent(press)
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
  const className = [isRead(column) && 'table-read', column.className].filter(Boolean).join(' ') || undefined
  return column.isRowHeader ? (
    <th role="rowheader" scope="row" data-label={column.header} className={className}>
      {children}
    </th>
  ) : (
    <td role="cell" data-label={column.header} className={className}>
      {children}
    </td>
  )
}
