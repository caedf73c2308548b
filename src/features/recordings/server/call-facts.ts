import { z } from 'zod'
import { text } from '#src/lib/schemas.ts'
import { parseCsv } from '#src/lib/text/csv.ts'
import type { Direction } from '../values.ts'
import { directions } from '../values.ts'
import { ImportRefusal } from './refusal.ts'

/** Facts of a call; `date` is the local time of the phone system, YYYY-MM-DDTHH:mm:ss. */
type CallFacts = { date: string; direction: Direction; caller: string; callee: string; agent: string }

/** Longest extension; external numbers are longer. */
const isExtension = (number: string) => /^\d{2,6}$/.test(number)

// FreePBX: KIND-CALLED-CALLER-YYYYMMDD-HHMMSS-UNIQUEID; the older Asterisk scripts: YYYYMMDD-HHMMSS-CALLER-CALLED.
const freePbx = /^([a-z]+)-([^-]+)-([^-]*)-(\d{8})-(\d{6})(?:-|$)/i
const dateFirst = /^(\d{8})-(\d{6})[-_]([^-_]+)[-_]([^-_]+)/
// OUT101-20261120-143000-1700000000.1 and IN...: the extension only.
const extensionOnly = /^(in|out|g|q)(\d+)-(\d{8})-(\d{6})(?:-|$)/i

/** Parses the facts of a call from its file name; null when they are incomplete. */
export function readCallName(fileName: string): CallFacts | null {
  const stem = fileName.replace(/\.[^.]*$/, '')
  return readFreePbx(stem) ?? readDateFirst(stem) ?? readExtensionOnly(stem)
}

function readFreePbx(stem: string) {
  const [, kind = '', called = '', from = '', day = '', time = ''] = freePbx.exec(stem) ?? []
  const date = localDate(day, time)
  if (!date) return null
  return withAgent(date, kind.toLowerCase(), number(from), number(called))
}

function readDateFirst(stem: string) {
  const [, day = '', time = '', from = '', called = ''] = dateFirst.exec(stem) ?? []
  const date = localDate(day, time)
  return date ? withAgent(date, '', number(from), number(called)) : null
}

function readExtensionOnly(stem: string) {
  const [, kind = '', extension = '', day = '', time = ''] = extensionOnly.exec(stem) ?? []
  const date = localDate(day, time)
  if (!date) return null
  const isOut = kind.toLowerCase() === 'out'
  return withAgent(date, kind.toLowerCase(), isOut ? extension : '', isOut ? '' : extension)
}

function withAgent(date: string, kind: string, caller: string, callee: string): CallFacts {
  const direction = directionOf(kind, caller, callee)
  const own = direction === 'in' ? callee : caller
  // The number of a queue or ring group is no extension.
  const isGroup = ['q', 'rg', 'g', 'conf'].includes(kind)
  return { date, direction, caller, callee, agent: isExtension(own) && !isGroup ? own : '' }
}

function directionOf(kind: string, caller: string, callee: string): Direction {
  if (kind === 'out') return 'out'
  if (kind === 'in' || kind === 'external') return 'in'
  if (kind === 'internal') return 'internal'
  if (isExtension(caller)) return isExtension(callee) ? 'internal' : 'out'
  return 'in'
}

const number = (text: string) => (/^(unknown|anonymous|s|unavailable)$/i.test(text) ? '' : text)

function localDate(day: string, time: string) {
  const text = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`
  return isLocalDate(text) ? text : null
}

/** True for an existing date and time. */
function isLocalDate(text: string) {
  const instant = new Date(`${text}Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text)
}

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

/** A table with a column `file` and the same names: one call per row, by file name. */
export function readCsvSidecar(content: string): Map<string, GivenFacts> {
  const [head = [], ...rows] = parseCsv(withoutMark(content))
  const names = head.map((name) => name.trim().toLowerCase())
  if (!names.includes('file')) throw new ImportRefusal('sidecar')
  const calls = new Map<string, GivenFacts>()
  for (const row of rows) {
    const { file, ...values } = Object.fromEntries(
      names.map((name, at) => [name, row[at]?.trim() ?? '']).filter(([, value]) => value !== ''),
    ) as Record<string, string>
    if (!file) continue
    const read = facts.safeParse(values)
    if (!read.success) throw new ImportRefusal('sidecar')
    calls.set(file, withoutEmpty(read.data))
  }
  return calls
}

const withoutMark = (content: string) => content.replace(/^\uFEFF/, '')

function withoutEmpty(given: z.infer<typeof facts>): GivenFacts {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
