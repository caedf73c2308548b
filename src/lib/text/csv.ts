type Cell = string | number | null

/**
 * One line of a CSV file (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe
 * in front: what a stranger wrote must not be computed on a colleague's machine.
 */
export function csvLine(cells: readonly Cell[], separator: ',' | ';' = ',') {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`
}

function csvCell(cell: Cell, separator: string) {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
