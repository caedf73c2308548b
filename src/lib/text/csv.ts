/** Rows of a CSV file (RFC 4180), separated by commas or, as in French spreadsheets, semicolons. */
export function parseCsv(content: string): string[][] {
  const firstLine = content.split(/\r?\n/, 1)[0] ?? ''
  const separator = firstLine.includes(';') ? ';' : ','
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endLine = () => {
    row.push(cell)
    if (row.some((value) => value !== '')) rows.push(row)
    row = []
    cell = ''
  }
  for (let at = 0; at < content.length; at++) {
    const letter = content[at]
    if (isQuoted && letter === '"' && content[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (letter === '"') isQuoted = !isQuoted
    else if (isQuoted) cell += letter
    else if (letter === separator) {
      row.push(cell)
      cell = ''
    } else if (letter === '\n') endLine()
    else if (letter !== '\r') cell += letter
  }
  endLine()
  return rows
}
