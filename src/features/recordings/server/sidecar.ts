import { z } from 'zod'
import { text } from '#src/lib/schemas.ts'
import { directions } from '../values.ts'
import type { CallFacts } from './call-name.ts'
import { isLocalDate } from './call-name.ts'
import { ImportRefusal } from './refusal.ts'

/** Facts from a sidecar file; they override the file name. `date` may carry its own offset. */
const facts = z
  .object({
    date: z.union([z.iso.datetime({ offset: true }), z.string().refine(isLocalDate)]),
    direction: z.enum(directions),
    caller: text(100),
    callee: text(100),
    agent: text(200),
  })
  .partial()

export type GivenFacts = Partial<CallFacts>

/** `NAME.json` or `NAME.wav.json`: one call. */
export function readJsonSidecar(content: string): GivenFacts {
  try {
    return withoutEmpty(facts.parse(JSON.parse(withoutMark(content))))
  } catch {
    throw new ImportRefusal('sidecar')
  }
}

/** A table with a column `file` and the same names: one call a line, by file name. */
export function readCsvSidecar(content: string): Map<string, GivenFacts> {
  const [head = [], ...lines] = parseCsv(withoutMark(content))
  const names = head.map((name) => name.trim().toLowerCase())
  if (!names.includes('file')) throw new ImportRefusal('sidecar')
  const calls = new Map<string, GivenFacts>()
  for (const line of lines) {
    const { file, ...said } = Object.fromEntries(
      names.map((name, at) => [name, line[at]?.trim() ?? '']).filter(([, value]) => value !== ''),
    ) as Record<string, string>
    if (!file) continue
    const read = facts.safeParse(said)
    if (!read.success) throw new ImportRefusal('sidecar')
    calls.set(file, withoutEmpty(read.data))
  }
  return calls
}

const withoutMark = (content: string) => content.replace(/^\uFEFF/, '')

function withoutEmpty(given: z.infer<typeof facts>): GivenFacts {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** The lines of a CSV file (RFC 4180), separated by commas or, as French spreadsheets write them, semicolons. */
function parseCsv(content: string): string[][] {
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
