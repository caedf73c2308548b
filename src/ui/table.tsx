import type { ReactNode } from 'react'

export type Column<Row> = {
  /** The column's name; it also stands above the cell on a phone. */
  header: string
  cell: (row: Row) => ReactNode
  /** The cell that names the row. */
  isRowHeader?: boolean
  className?: string
}

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Buttons at the end of each row, under a column that this names. */
  actions?: { header: string; cell: (row: Row) => ReactNode }
}

/** The explicit roles keep the table a table where a phone's layout makes blocks of its rows. */
export function Table<Row>({ caption, columns, rows, rowKey, actions }: TableProps<Row>) {
  return (
    <div className="card overflow-hidden">
      <table className="table" role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.header} role="columnheader" scope="col" className={column.className}>
                {column.header}
              </th>
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
            <tr key={rowKey(row)} role="row">
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
