type Row = Record<string, number | string>

/** Prints rows as a table with a title. */
export function printTable(title: string, rows: Row[]) {
  const columns = Object.keys(rows[0] ?? {})
  const cell = (row: Row, column: string) => format(row[column] ?? '')
  const width = (column: string) => Math.max(column.length, ...rows.map((row) => cell(row, column).length))
  const line = (of: (column: string) => string) => columns.map((column) => of(column).padEnd(width(column))).join('  ')
  process.stdout.write(`\n${title}\n  ${line((column) => column)}\n`)
  for (const row of rows) process.stdout.write(`  ${line((column) => cell(row, column))}\n`)
}

function format(value: number | string) {
  if (typeof value === 'string') return value
  return value >= 100 ? Math.round(value).toLocaleString('en-CA') : value.toFixed(value < 1 ? 3 : 1)
}
