import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getTableName, is } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { getTableConfig, PgArray, PgTable } from 'drizzle-orm/pg-core'
import config from '../drizzle.config.ts'
import type { ServerFeature } from '../src/features/content/server/feature.ts'
import { tableEndsOf } from '../src/features/content/server/feature.ts'
import { privacyTexts } from '../src/features/privacy/texts.ts'
import { areaLabel } from '../src/lib/feature.ts'
import type { RetentionKind } from '../src/lib/retention.ts'
import { retentionKinds } from '../src/lib/retention.ts'
import type { Person, PersonalColumns, Protection, TableEnd } from '../src/server/personal-data.ts'
import { initialPeriods, labelOfPeriod } from '../src/server/retention/periods.ts'

type Declared = Pick<ServerFeature, 'personalColumns' | 'impersonalColumns'>

/** Every table of the schema, as the migrations are generated from it. */
export async function readSchema(): Promise<PgTable[]> {
  const files = globSync(config.schema as string[]).map((file) => pathToFileURL(resolve(file)).href)
  const modules = (await Promise.all(files.map((file) => import(file)))) as Record<string, unknown>[]
  return modules.flatMap((module) => Object.values(module).filter((value) => is(value, PgTable)))
}

const nameOf = (column: PgColumn) => `${getTableName(column.table)}.${column.name}`
const namesOf = (groups: readonly { columns: readonly PgColumn[] }[] = []) => groups.flatMap(({ columns }) => columns.map(nameOf))

/** Columns that could hold information about people and are declared neither as personal nor as impersonal. */
export function findUndeclared(tables: readonly PgTable[], features: readonly Declared[]) {
  const declared = new Set(
    features.flatMap(({ personalColumns, impersonalColumns }) => [...namesOf(personalColumns), ...namesOf(impersonalColumns)]),
  )
  return tables
    .flatMap(findTelling)
    .map(nameOf)
    .filter((name) => !declared.has(name))
}

/** Columns that are declared more than once, or in no table of the schema. */
export function findMisdeclared(tables: readonly PgTable[], features: readonly Declared[]) {
  const known = new Set(tables.flatMap((table) => getTableConfig(table).columns.map((column) => nameOf(column))))
  const declared = features.flatMap(({ personalColumns, impersonalColumns }) => [
    ...namesOf(personalColumns),
    ...namesOf(impersonalColumns),
  ])
  return declared.filter((name, index) => !known.has(name) || declared.indexOf(name) !== index)
}

/**
 * Columns whose values could tell something about a person: whatever holds text, JSON, bytes or a day, and whatever names a
 * user. A foreign key to another table repeats a value that is declared there.
 */
function findTelling(table: PgTable) {
  const { columns, foreignKeys } = getTableConfig(table)
  const references = new Map(
    foreignKeys.flatMap((key) => {
      const { columns: own, foreignTable } = key.reference()
      return own.map(({ name }) => [name, getTableName(foreignTable)] as const)
    }),
  )
  return columns.filter((column) => {
    const target = references.get(column.name)
    if (target === 'users' || /(^|_)user_id$/.test(column.name)) return true
    return target === undefined && !isHarmless(column)
  })
}

/** A number, a switch, the moment of an event or a value of a closed list; a day could be one of birth. */
function isHarmless(column: PgColumn): boolean {
  if (is(column, PgArray)) return isHarmless(column.baseColumn)
  if ((column.enumValues ?? []).length > 0) return true
  return ['number', 'bigint', 'boolean'].includes(column.dataType) || column.columnType === 'PgTimestamp'
}

const people: Record<Person, string> = {
  visitors: 'Visitors of the site and of the live chat',
  customers: 'Customers who write',
  subscribers: 'Subscribers of the network status and of the news',
  applicants: 'Job applicants',
  callers: 'Callers',
  staff: 'Staff',
  anybody: 'Anybody whom a text names',
}

const protections: Record<Protection, string> = {
  'keyed hash': 'HMAC-SHA-256, with a key of this installation',
  hash: 'SHA-256',
  'password hash': 'argon2id',
  encrypted: 'AES-256-GCM',
  'encrypted by entry':
    'AES-256-GCM, with a key of the entry that ends with the person’s data, and with the period of the audit log',
}

/** Information about people, a table for each kind of person, in Markdown. */
export function storedTables(features: readonly ServerFeature[]) {
  const ends = tableEndsOf(features)
  const groups = features.flatMap(({ personalColumns = [] }) => personalColumns)
  return Object.entries(people).flatMap(([person, title]) => {
    const own = groups.filter(({ whose }) => whose[0] === person)
    if (own.length === 0) return []
    const rows = own.map((group) => [
      [...byTable(group.columns)]
        .map(
          ([table, columns]) => `\`${getTableName(table)}\`: ${columns.map(({ name }) => name.replaceAll('_', ' ')).join(', ')}`,
        )
        .join('; '),
      [group.purpose, ...describeOthers(group)].join(' '),
      describeReaders(group, features),
      group.protection ? protections[group.protection] : 'as entered',
      group.ends ?? [...new Set([...byTable(group.columns).keys()].flatMap((table) => describeEnds(table, ends)))].join('; '),
    ])
    return [`### ${title}`, '', ...markdown(['where: what', 'why', 'who sees it', 'stored as', 'ends'], rows), '']
  })
}

function byTable(columns: readonly PgColumn[]) {
  return Map.groupBy(columns, (column) => column.table)
}

const describeOthers = ({ whose: [, ...others] }: PersonalColumns) =>
  others.length === 0 ? [] : [`Also about: ${others.map((one) => people[one].toLowerCase()).join(', ')}.`]

function describeReaders({ seenBy }: PersonalColumns, features: readonly ServerFeature[]) {
  const declared = features.map(({ feature }) => feature)
  const readers = seenBy.map((one) => {
    if (one === 'public') return 'everybody'
    return one === 'own' ? 'the person' : areaLabel(declared, one).en
  })
  return readers.length === 0 ? 'nobody: the product alone' : readers.join(', ')
}

/** The ends of a table's rows: its own, or those of the tables that it is deleted with. */
function describeEnds(table: PgTable, ends: readonly TableEnd[]): string[] {
  const own = ends.find(({ tables }) => tables.includes(table))
  if (own) return [`${own.label.en}: ${lengthOf(own).replace(/\.$/, '')}`]
  const parents = getTableConfig(table)
    .foreignKeys.filter(({ onDelete }) => onDelete === 'cascade')
    .map((key) => key.reference().foreignTable)
  return parents.flatMap((parent) => describeEnds(parent, ends))
}

function lengthOf(end: TableEnd) {
  if ('reason' in end) return end.reason.en
  return 'days' in end ? labelOfPeriod({ count: end.days, unit: 'days' }).en : `${shipped(end.kind as RetentionKind)} as shipped`
}

const shipped = (kind: RetentionKind) => labelOfPeriod(initialPeriods[kind]).en

/** The periods that administrators choose, and those of the product, in Markdown. */
export function periodTables(features: readonly ServerFeature[]) {
  const own = tableEndsOf(features).filter((end) => 'days' in end)
  return [
    ...markdown(
      ['chosen by the company', 'as shipped'],
      retentionKinds.map((kind) => [privacyTexts.en[kind], shipped(kind)]),
    ),
    '',
    ...markdown(
      ['fixed by the product', 'ends after'],
      own.map((end) => [end.label.en, lengthOf(end)]),
    ),
    '',
  ]
}

function markdown(head: string[], rows: string[][]) {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)]
}

/** The document with its tables written anew between their marks; whatever a company wrote around them stays. */
export function withTables(document: string, features: readonly ServerFeature[]) {
  const parts = { stored: storedTables(features), periods: periodTables(features) }
  return Object.entries(parts).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`]
    const [before, rest = ''] = text.split(begin)
    const [, after] = rest.split(end)
    if (after === undefined) throw new Error(`docs/privacy-assessment.md has no part “${name}”.`)
    return `${before}${begin}\n\n${lines.join('\n')}\n${end}${after}`
  }, document)
}
