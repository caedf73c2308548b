type Cell = string | number | null

/**
 * One row of a CSV file (RFC 4180). A cell that a spreadsheet would run as a formula is prefixed with an apostrophe (CSV
 * injection).
 */
export function csvLine(cells: readonly Cell[], separator: ',' | ';' = ',') {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`
}

/** A file that spreadsheets open by itself: the list separator of each language's, and the mark that makes them read UTF-8. */
export function csvFile(rows: readonly (readonly Cell[])[], language: 'fr' | 'en') {
  return `\uFEFF${rows.map((cells) => csvLine(cells, language === 'fr' ? ';' : ',')).join('')}`
}

/** A formula behind another separator is quoted too: a spreadsheet may read the file by that one. */
function csvCell(cell: Cell, separator: string) {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell
  const mustQuote = safe.includes(separator) || /["\r\n]|[,;\t][\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(safe)
  return mustQuote ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Escapes text for an XML element or attribute; removes characters that XML does not allow. */
export function escapeXml(text: string) {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
