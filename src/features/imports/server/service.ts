import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { ImportContext, Importer, ImportSource, SourceEntry } from '#src/features/content/server/importing.ts'
import { cut, staffChoice } from '#src/features/content/server/importing.ts'
import type { Area, Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { Progress } from '#src/server/backup/dump.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, NotFound, Problem } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { ImportDetail, ImportKind, ImportResult, PreviewEntry } from '../contract.ts'
import { fetchChoice, leftMax, previewMax, refusedMax, undoDays, uploadsChoice, wholeKind } from '../values.ts'
import { createPlanned, giveWay, inBatches } from './read-entries.ts'
import { guessMap, idColumn, readHeaders } from './read-table.ts'
import type { ImportChoice, ImportOption } from './table.ts'
import { importEntries, importRefusals, imports } from './table.ts'
import type { Decision, Writers } from './take-entries.ts'
import { tryWhole, wholeParts } from './whole.ts'
import { countAll, countLeftOut, decideAll, nameMax, noCounts } from './take-entries.ts'

export type ImportRow = typeof imports.$inferSelect
const dayMs = 86_400_000
const importsPerPage = 25
/** Characters of a value that are shown. */
const shownMax = 300

export const importFolder = (app: Pick<App, 'config'>) => join(app.config.dataDir, 'imports')

export function findImporter(app: App, kind: string): Importer {
  const importer = app.importers.find((one) => one.kind === kind)
  if (!importer)
    throw new Problem(400, 'Invalid', 'There is no such kind of import.', { errors: [{ path: 'kind', message: 'unknown' }] })
  return importer
}

export const writersOf = (app: App, importer: Importer): Writers =>
  'usesPages' in importer
    ? { ...importer.writers, ...app.pageWriters, ...app.importers.find(({ kind }) => kind === 'redirects')?.writers }
    : importer.writers

/** The address of the site or system that a file tells itself. */
export const findSource = async (importer: Importer, file: Pick<ImportSource, 'path' | 'charset'>) =>
  'findSource' in importer ? ((await importer.findSource?.(file)) ?? null) : null

/** Areas that an import writes in: those of its kind, and those that its choices name. */
export function areasOf(app: App, importer: Importer, map: Record<string, string>): readonly Area[] {
  if ('whole' in importer) return app.areas
  const chosen = 'usesPages' in importer ? Object.values(map).flatMap((name) => app.pageWriters[name]?.area ?? []) : []
  return [...new Set([...importer.areas, ...chosen])]
}

export const mayImport = (rights: Rights, areas: readonly Area[]) =>
  areas.every((area) => hasRight(rights, area, 'administrator'))

export function findKinds(app: App, rights: Rights): ImportKind[] {
  return app.importers.map((importer) => {
    const { kind, label, hint, accept } = importer
    const has_mailbox = mailboxOf(importer)?.isSet(app.config) ?? false
    return { kind, label, hint, accept, may_import: mayImport(rights, areasOf(app, importer, {})), has_mailbox }
  })
}

export const mailboxOf = (importer: Importer) => ('mailbox' in importer ? importer.mailbox : undefined)

export const mayImportAny = (app: App, rights: Rights) =>
  app.importers.some((importer) => mayImport(rights, areasOf(app, importer, {})))

const contextOf = (app: App, userId: number | null): ImportContext => ({ db: app.db, config: app.config, userId })

export const sourceOf = (
  app: App,
  row: Pick<ImportRow, 'path' | 'charset' | 'map' | 'userId'>,
  name: string,
  { isTrial }: { isTrial: boolean },
): ImportSource => ({
  path: row.path,
  charset: row.charset,
  map: row.map,
  isTrial,
  workFolder: join(importFolder(app), `work-${name}`),
  context: contextOf(app, row.userId),
  closers: [],
})

type Choices = { choices: ImportChoice[]; options: ImportOption[]; map: Record<string, string> }

async function findChoices(importer: Importer, source: ImportSource): Promise<Choices> {
  if (!('columns' in importer)) {
    const found = 'findChoices' in importer ? await importer.findChoices?.(source) : null
    if (!found) return { choices: [], options: [], map: {} }
    return { ...found, choices: found.choices.map((one) => ({ ...one, is_required: true })) }
  }
  await mkdir(source.workFolder, { recursive: true })
  if (await importer.readOther?.(source)) return { choices: [], options: [], map: {} }
  const headers = await readHeaders(source)
  const choices = [idColumn, ...importer.columns].map(({ name, label, isRequired = false }) => ({
    name,
    label,
    is_required: isRequired,
    count: null,
  }))
  return {
    choices,
    options: headers.map((header) => ({ value: header, label: { fr: header, en: header } })),
    map: guessMap(importer.columns, headers, source.map),
  }
}

/** Options are chosen for each import; where the entries go is kept. */
const isOption = (choice: string) => choice === uploadsChoice || choice === fetchChoice

/** The choices of the last import of this kind: those that fit, and lead where the person may import, are taken again. */
async function findFormerMap(app: App, rights: Rights, kind: string) {
  const [last] = await app.db
    .select({ map: imports.map })
    .from(imports)
    .where(and(eq(imports.kind, kind), sql`${imports.startedAt} is not null`))
    .orderBy(desc(imports.id))
    .limit(1)
  // A column that the former file did not have may be in this one.
  const isUsable = (name: string) => name !== '' && mayImport(rights, [app.pageWriters[name]?.area ?? []].flat())
  const former = Object.entries(last?.map ?? {})
  return Object.fromEntries(former.filter(([choice, name]) => !isOption(choice) && isUsable(name)))
}

export async function refuseSecond(db: Database) {
  const [running] = await db.select({ id: imports.id }).from(imports).where(eq(imports.state, 'running')).limit(1)
  if (running) throw new Conflict('Another import is running. Wait until it ends, or stop it.', { id_import: running.id })
}

type Given = {
  map?: Record<string, string> | undefined
  as?: string | undefined
  staff?: string | undefined
  uploads?: string | undefined
  fetch?: boolean | undefined
}

/** The choices of an import, with those that have a word of their own; undefined where nobody chose. */
export function choicesOf({ map, as, staff, uploads, fetch }: Given) {
  const named = {
    ...(as && { '*': as }),
    ...(staff && { [staffChoice]: staff }),
    ...(uploads && { [uploadsChoice]: uploads }),
    ...(fetch && { [fetchChoice]: 'yes' }),
  }
  return map || Object.keys(named).length > 0 ? { ...map, ...named } : undefined
}

type NewImport = Pick<ImportRow, 'kind' | 'file' | 'path' | 'charset' | 'source' | 'ownsFile'> & {
  map: Record<string, string> | undefined
}

/** Stores an import with what it would do; nothing of its entries is written. */
export async function prepareImport(
  app: App,
  author: Author,
  rights: Rights,
  given: NewImport,
  onProgress?: Progress,
): Promise<number> {
  await refuseSecond(app.db)
  const importer = findImporter(app, given.kind)
  const isChosen = Object.keys(given.map ?? {}).some((choice) => !isOption(choice))
  const map = { ...(!isChosen && (await findFormerMap(app, rights, given.kind))), ...given.map }
  const tried = await tryOut(app, importer, { ...given, map, userId: author.userId }, onProgress)
  return app.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(imports)
      .values({ ...given, ...tried.row, userId: author.userId, userName: author.name, address: author.address })
      .returning({ id: imports.id })
    if (!row) throw new Error('the import was not stored')
    await storeTried(tx, row.id, tried.refusals)
    return row.id
  })
}

/** Tries an import that waits again, with other choices. */
export async function changeImport(app: App, row: ImportRow, map: Record<string, string>) {
  if (row.state !== 'waiting') throw new Conflict('This import has already started.')
  const tried = await tryOut(app, findImporter(app, row.kind), { ...row, map })
  await app.db.transaction(async (tx) => {
    const isWaiting = and(eq(imports.id, row.id), eq(imports.state, 'waiting'))
    const changed = await tx.update(imports).set(tried.row).where(isWaiting).returning({ id: imports.id })
    if (changed.length === 0) throw new Conflict('This import has already started.')
    await tx.delete(importRefusals).where(eq(importRefusals.importId, row.id))
    await storeTried(tx, row.id, tried.refusals)
  })
}

type Refusal = Omit<typeof importRefusals.$inferInsert, 'importId'>

async function storeTried(tx: Database, importId: number, refusals: readonly Refusal[]) {
  if (refusals.length > 0) await tx.insert(importRefusals).values(refusals.map((one) => ({ ...one, importId })))
}

/** What an import would do: its figures, its first entries and the first that are refused. */
async function tryOut(
  app: App,
  importer: Importer,
  given: Pick<ImportRow, 'path' | 'charset' | 'map' | 'userId' | 'source'>,
  onProgress?: Progress,
) {
  if ('whole' in importer) return tryWhole(app, importer.whole, given, onProgress)
  const writers = writersOf(app, importer)
  const name = randomUUID()
  const asked = sourceOf(app, given, name, { isTrial: true })
  const { choices, options, map } = await findChoices(importer, asked).finally(() =>
    rm(asked.workFolder, { recursive: true, force: true }),
  )
  const source = { ...asked, map }
  const batch = {
    db: app.db,
    source: given.source,
    writers,
    context: source.context,
    planned: createPlanned(importer),
    trial: { earlier: new Map<string, string>() },
  }
  const counts = noCounts()
  const preview: PreviewEntry[] = []
  const refusals: Refusal[] = []
  let total = 0
  const decide = async (entries: SourceEntry[]) => {
    const startedAt = performance.now()
    const decisions = await decideAll(batch, entries)
    countAll(counts, decisions, writers)
    for (const one of decisions) {
      if (preview.length < previewMax) preview.push(previewOf(importer, writers, one))
      if (one.reason && refusals.length < refusedMax)
        refusals.push({ at: cut(one.entry.at, nameMax), name: cut(one.entry.name, nameMax), reason: one.reason })
    }
    await giveWay(startedAt)
  }
  for await (const { entries, leftOut, read } of inBatches(importer, source)) {
    for (const one of leftOut) countLeftOut(counts, one.leftOut, one.count)
    total += read
    onProgress?.(total, null)
    if (entries.length > 0) await decide(entries)
  }
  return { row: { map, choices, options, preview, counts, total }, refusals }
}

function previewOf(importer: Importer, writers: Writers, { entry, outcome, writer, reason }: Decision): PreviewEntry {
  const columns = 'columns' in importer ? importer.columns : []
  const values = (entry.values ?? {}) as Record<string, unknown>
  const isShown = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  const labelled = columns
    .filter(({ name }) => isShown(values[name]) && values[name] !== '')
    .map(({ name, label }) => ({ label, text: cut(String(values[name]), shownMax) }))
  const after = reason
    ? [{ label: { fr: 'Refusée', en: 'Refused' }, text: '' }]
    : labelled.length > 0
      ? labelled
      : pageFields.flatMap(({ name, label }) =>
          isShown(values[name]) && values[name] !== '' ? [{ label, text: cut(String(values[name]), shownMax) }] : [],
        )
  const before = (entry.shown ?? []).map(({ label, text }) => ({ label: cut(label, nameMax), text: cut(text, shownMax) }))
  return { at: entry.at, name: cut(entry.name, nameMax), area: writers[writer]?.area ?? '', outcome, before, after }
}

const pageFields = [
  { name: 'title', label: { fr: 'Titre', en: 'Title' } },
  { name: 'title_en', label: { fr: 'Titre (Anglais)', en: 'Title (English)' } },
  { name: 'name', label: { fr: 'Nom', en: 'Name' } },
  { name: 'subject', label: { fr: 'Objet', en: 'Subject' } },
  { name: 'target', label: { fr: 'Cible', en: 'Target' } },
  { name: 'date', label: { fr: 'Date', en: 'Date' } },
  { name: 'from', label: { fr: 'Ancienne adresse', en: 'Old address' } },
]

export async function findImport(db: Database, id: number): Promise<ImportRow> {
  const [row] = await db.select().from(imports).where(eq(imports.id, id))
  if (!row) throw new NotFound('This import does not exist.')
  return row
}

/** Its undo began, and was cut off or is not over yet. */
const isHalfUndone = ({ state, left }: Pick<ImportRow, 'state' | 'left'>) => state === 'undone' && left === null
export const undoEnd = ({ endedAt, createdAt }: ImportRow) => new Date((endedAt ?? createdAt).getTime() + undoDays * dayMs)
export async function isUndoable(app: App, row: ImportRow) {
  if (row.startedAt === null || !(['done', 'stopped', 'failed'].includes(row.state) || isHalfUndone(row))) return false
  const importer = app.importers.find(({ kind }) => kind === row.kind)
  return importer && 'whole' in importer ? importer.whole.canUndo(app.db, row.id) : true
}

export function areasWritten(app: App, row: ImportRow) {
  if (row.kind === wholeKind) return wholeParts.map((part) => ({ ...part, outdates: undefined }))
  const importer = app.importers.find(({ kind }) => kind === row.kind)
  const writers = importer ? Object.values(writersOf(app, importer)) : []
  const { created, updated } = row.counts
  const areas = new Set([...Object.keys(created), ...Object.keys(updated)])
  return writers
    .filter(({ area }) => areas.has(area))
    .map(({ area, label, path, outdates }) => ({ area, label, path: path?.replace(/\/:id$/, '') ?? null, outdates }))
}

/** The first entries that an undo left. */
async function findLeft(app: App, { id, kind, state }: ImportRow): Promise<ImportResult['left_entries']> {
  const importer = app.importers.find((one) => one.kind === kind)
  if (state !== 'undone' || !importer) return []
  if ('whole' in importer) return importer.whole.findLeft(app.db, id, leftMax)
  const writers = writersOf(app, importer)
  const entries = await app.db
    .select({ writer: importEntries.writer, entryId: importEntries.entryId })
    .from(importEntries)
    .where(eq(importEntries.importId, id))
    .orderBy(asc(importEntries.entryId))
    .limit(leftMax)
  const left: ImportResult['left_entries'] = []
  for (const [name, { area, path, findNames }] of Object.entries(writers)) {
    const ids = entries.filter(({ writer }) => writer === name).map(({ entryId }) => entryId)
    if (ids.length === 0) continue
    const names = await findNames(app.db, ids)
    for (const entryId of ids)
      left.push({
        area,
        name: cut(names.get(entryId) || String(entryId), nameMax),
        path: path?.replace(':id', String(entryId)) ?? null,
        ...{ label: null, reason: null },
      })
  }
  return left
}

export async function toResult(app: App, row: ImportRow, most = refusedMax): Promise<ImportResult> {
  const refused = await app.db
    .select()
    .from(importRefusals)
    .where(eq(importRefusals.importId, row.id))
    .orderBy(asc(importRefusals.id))
    .limit(most)
  const importer = app.importers.find(({ kind }) => kind === row.kind)
  const { created, updated, known, leftOut } = row.counts
  return {
    id_import: row.id,
    kind: row.kind,
    label: importer?.label ?? { fr: row.kind, en: row.kind },
    file: row.file,
    source: row.source,
    dry_run: row.state === 'waiting',
    created,
    updated,
    known,
    left_out: leftOut,
    refused: refused.map(({ at, name, reason }) => ({ at, name, reason: reason.en, reason_fr: reason.fr })),
    refused_total: row.counts.refused,
    state: row.state,
    done: row.done,
    total: row.total,
    areas: areasWritten(app, row).map(({ outdates: _outdates, ...area }) => area),
    by: row.userName,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    ended_at: row.endedAt?.toISOString() ?? null,
    undo_until: undoEnd(row) > new Date() && (await isUndoable(app, row)) ? undoEnd(row).toISOString() : null,
    left: row.left,
    left_entries: most > 0 ? await findLeft(app, row) : [],
    error: row.error,
  }
}

/** What its entries hold is only for those who may import them. */
export async function toDetail(app: App, row: ImportRow, rights: Rights): Promise<ImportDetail> {
  const { map, choices, options } = row
  const isAllowed = mayImport(rights, areasOf(app, findImporter(app, row.kind), map))
  const result = await toResult(app, row, isAllowed ? refusedMax : 0)
  return { ...result, map, choices, options, preview: isAllowed ? row.preview : [] }
}

/** A page of the imports, newest first. */
export async function findImports(app: App, page: number) {
  const total = await app.db.$count(imports)
  const rows = await app.db
    .select()
    .from(imports)
    .orderBy(desc(imports.id))
    .limit(importsPerPage)
    .offset((page - 1) * importsPerPage)
  return { rows: await Promise.all(rows.map((row) => toResult(app, row, 0))), total }
}
