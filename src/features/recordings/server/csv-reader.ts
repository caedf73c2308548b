/** The lines of a CSV file (RFC 4180), separated by commas or, as French spreadsheets write them, semicolons. */
export function parseCsv(content: string): string[][] {
  const firstLine = content.split(/\r?\n/, 1)[0] ?? ''
  const separator = firstLine.includes(';') ? ';' : ','
  const lines: string[][] = []
  let line: string[] = []
  let cell = ''
  let isQuoted = false
  const endLine = () => {
    line.push(cell)
    if (line.some((value) => value !== '')) lines.push(line)
    line = []
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
      line.push(cell)
      cell = ''
    } else if (letter === '\n') endLine()
    else if (letter !== '\r') cell += letter
  }
  endLine()
  return lines
}
