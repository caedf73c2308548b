import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { and, asc, eq, inArray, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { UnusableSource } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Invalid, isDiskFull } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { wholeKind } from '../values.ts'
import { batchSize, createPlanned, giveWay, inBatches } from './read-entries.ts'
import type { ImportRow } from './service.ts'
import { areasWritten, findImporter, isUndoable, refuseSecond, sourceOf, undoEnd, writersOf } from './service.ts'
import { importEntries, importRefusals, imports } from './table.ts'
import type { Writers } from './take-entries.ts'
import { countLeftOut, decideAll, findMarks, noCounts, NotRunning, totalOf, writeAll } from './take-entries.ts'
import { findWhole, takeWhole } from './whole.ts'

/** This process, as the holder of what it imports. */
const holder = randomUUID()
/** A process that dies holds an import for this long. */
const leaseMs = 30_000
const renewMs = 10_000
/** Starts an import, or goes on with one that was stopped; it is that of who runs it. */
export async function startImport(app: App, { userId, name, address }: Author, row: ImportRow) {
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('imports'))`)
    await refuseSecond(tx)
    const isNew = row.state === 'waiting'
    const rows = await tx
      .update(imports)
      .set({
        ...{ userId, userName: name, address },
        state: 'running',
        error: null,
        holder: null,
        leaseUntil: null,
        endedAt: null,
        startedAt: row.startedAt ?? new Date(),
        ...(isNew && { counts: noCounts(), done: 0 }),
      })
      .where(and(eq(imports.id, row.id), inArray(imports.state, ['waiting', 'stopped', 'failed'])))
      .returning({ id: imports.id })
    if (rows.length === 0) throw new Conflict('This import has already ended.')
    if (isNew) await tx.delete(importRefusals).where(eq(importRefusals.importId, row.id))
  })
}

export async function stopImport(app: App, id: number) {
  findWhole(id)?.stop.abort(new Error('the import was stopped'))
  const rows = await app.db
    .update(imports)
    .set({ state: 'stopped', endedAt: new Date() })
    .where(and(eq(imports.id, id), eq(imports.state, 'running')))
    .returning()
  if (!rows[0]) throw new Conflict('This import is not running.')
  await recordImport(app, app.db, rows[0])
  publish(app, rows[0])
}

/** Imports that nobody works on, for the queue of this process. */
export async function claimImports(app: App, stopping: AbortSignal) {
  const isFree = or(
    isNull(imports.leaseUntil),
    lt(imports.leaseUntil, new Date()),
    // A single process that started again need not wait for the lease of its former life.
    app.cluster.isAlone ? ne(imports.holder, holder) : undefined,
  )
  const rows = await app.db
    .update(imports)
    .set({ holder, leaseUntil: new Date(Date.now() + leaseMs) })
    .where(and(eq(imports.state, 'running'), isFree, working.size > 0 ? notInArray(imports.id, [...working]) : undefined))
    .returning()
  return rows.map((row) => () => runImport(app, row, stopping))
}

/** Imports that this process works on now. */
const working = new Set<number>()

const failure: Label = {
  fr: 'L’importation a échoué. La cause est dans les messages du serveur.',
  en: 'The import failed. The server log has the cause.',
}
const diskFull: Label = {
  fr: 'Le disque du serveur est plein. Ce qui est importé reste; libérez de l’espace, puis continuez.',
  en: 'The server disk is full. What was imported stays; free some space, then continue.',
}

async function runImport(app: App, row: ImportRow, stopping: AbortSignal) {
  working.add(row.id)
  const own = and(eq(imports.id, row.id), eq(imports.state, 'running'), eq(imports.holder, holder))
  const renew = () =>
    app.db
      .update(imports)
      .set({ leaseUntil: new Date(Date.now() + leaseMs) })
      .where(own)
  // A batch may take longer than the lease.
  const timer = setInterval(
    () => void renew().catch((error: unknown) => app.log.warn({ err: error, import: row.id }, 'an import was not renewed')),
    renewMs,
  )
  try {
    const importer = findImporter(app, row.kind)
    const isComplete =
      'whole' in importer ? await takeWhole(app, row, importer.whole, { holder, stopping }) : await takeAll(app, row, stopping)
    if (isComplete) await endImport(app, row)
  } catch (error) {
    if (error instanceof NotRunning) return
    app.log.error({ err: error, import: row.id }, 'an import failed')
    const label = isDiskFull(error) ? diskFull : error instanceof UnusableSource ? error.reason : failure
    await failImport(app, row, label)
  } finally {
    clearInterval(timer)
    working.delete(row.id)
  }
}

/** False where the process stops before the end. */
async function takeAll(app: App, row: ImportRow, stopping: AbortSignal) {
  const importer = findImporter(app, row.kind)
  const writers = writersOf(app, importer)
  const source = sourceOf(app, row, String(row.id), { isTrial: false })
  const batch = { importId: row.id, source: row.source, writers, context: source.context, holder, leaseMs }
  const planned = createPlanned(importer)
  // The mails of a mailbox may be others now: those that came are known.
  const isSame = isAbsolute(row.path)
  let counts = isSame ? row.counts : noCounts()
  let done = 0
  for await (const { entries, leftOut, read } of inBatches(importer, source)) {
    done += read
    // Done before an interruption: batches are the same each time, because a source does not change.
    if (isSame && done <= row.done) continue
    if (stopping.aborted) {
      await app.db
        .update(imports)
        .set({ holder: null, leaseUntil: null })
        .where(and(eq(imports.id, row.id), eq(imports.holder, holder)))
      return false
    }
    const startedAt = performance.now()
    const next = structuredClone(counts)
    for (const one of leftOut) countLeftOut(next, one.leftOut, one.count)
    const decisions = await decideAll({ db: app.db, planned, trial: null, ...batch }, entries)
    counts = await writeAll(app.db, batch, decisions, done, next)
    await giveWay(startedAt)
  }
  return true
}

async function endImport(app: App, row: ImportRow) {
  // Everything is written: who reads that it is done must read that too.
  const [written] = await app.db.select().from(imports).where(eq(imports.id, row.id))
  if (!written) return
  publish(app, written)
  // More than the trial found: pictures that could not be fetched, or mails that came since.
  const total = totalOf(written.counts)
  const ended = await app.db.transaction(async (tx) => {
    const [done] = await tx
      .update(imports)
      .set({ state: 'done', done: total, total, endedAt: new Date(), holder: null, leaseUntil: null, path: '', preview: [] })
      .where(and(eq(imports.id, row.id), eq(imports.state, 'running'), eq(imports.holder, holder)))
      .returning()
    if (done) await recordImport(app, tx, done)
    return done
  })
  if (!ended) return
  if (row.ownsFile) await rm(row.path, { force: true })
}

/** What came before the failure stays, and is in the audit log. */
async function failImport(app: App, row: ImportRow, error: Label) {
  const failed = await app.db.transaction(async (tx) => {
    const [found] = await tx
      .update(imports)
      .set({ state: 'failed', error, endedAt: new Date() })
      .where(and(eq(imports.id, row.id), eq(imports.state, 'running')))
      .returning()
    if (found) await recordImport(app, tx, found)
    return found
  })
  if (failed) publish(app, failed)
}

const authorOf = ({ userId, userName, address }: ImportRow): Author => ({ userId, name: userName, address })

/** The one event of an import, with the numbers of its entries. */
async function recordImport(app: App, tx: Database, row: ImportRow) {
  const { created, updated, known, refused } = row.counts
  const after = { kind: row.kind, file: row.file, created, updated, known, refused, entries: await findNumbers(app, tx, row) }
  await recordChange(tx, authorOf(row), { area: 'imports', action: 'import', entryId: row.id, after })
}

/** Numbers of the entries of an import by area, in runs: `12-40, 43`. */
async function findNumbers(app: App, db: Database, { id, kind }: ImportRow) {
  const importer = app.importers.find((one) => one.kind === kind)
  const writers = importer ? writersOf(app, importer) : {}
  const { rows } = (await db.execute(sql`
    select writer, min(entry_id)::int as first, max(entry_id)::int as last
    from (select writer, entry_id, entry_id - row_number() over (partition by writer order by entry_id) as run
      from ${importEntries} where import_id = ${id}) as numbered
    group by writer, run order by writer, first limit 5000`)) as { rows: { writer: string; first: number; last: number }[] }
  const numbers: Record<string, string> = {}
  for (const { writer, first, last } of rows) {
    const area = writers[writer]?.area ?? writer
    const run = first === last ? String(first) : `${first}-${last}`
    numbers[area] = numbers[area] ? `${numbers[area]}, ${run}` : run
  }
  return numbers
}

function publish(app: App, row: ImportRow) {
  const { liveAreas } = app.events
  const parts = areasWritten(app, row)
  const written = new Set<string>(parts.map(({ area }) => area))
  for (const { outdates } of parts) if (outdates) app.events.outdated(outdates)
  for (const area of liveAreas) if (row.kind === wholeKind || written.has(area)) app.events.changed(area)
}

/** Removes an import that never started, with its file. */
export async function removeWaiting(app: App, row: ImportRow) {
  const removed = await app.db
    .delete(imports)
    .where(and(eq(imports.id, row.id), eq(imports.state, 'waiting')))
    .returning({ id: imports.id })
  if (removed.length === 0) throw new Invalid('This import has already started: undo it instead.')
  if (row.ownsFile) await rm(row.path, { force: true })
}

/** Files that nobody imported within a month, and the refusals of imports that cannot be undone any more. */
export async function purgeImports(app: App, before: Date, limit: number) {
  const waiting = await app.db
    .select()
    .from(imports)
    .where(and(inArray(imports.state, ['waiting', 'stopped', 'failed']), lt(imports.createdAt, before)))
    .limit(limit)
  for (const { id, path, ownsFile, state } of waiting) {
    if (ownsFile && path) await rm(path, { force: true })
    if (state === 'waiting') await app.db.delete(imports).where(eq(imports.id, id))
    else await app.db.update(imports).set({ state: 'done', path: '' }).where(eq(imports.id, id))
  }
  const old = app.db.select({ id: imports.id }).from(imports).where(lt(imports.endedAt, before))
  const some = app.db
    .select({ id: importRefusals.id })
    .from(importRefusals)
    .where(inArray(importRefusals.importId, old))
    .limit(limit)
  const removed = await app.db.delete(importRefusals).where(inArray(importRefusals.id, some)).returning({ id: importRefusals.id })
  return waiting.length + removed.length
}

type Cursor = { source: string; entry: string }

/** Removes what an import created and nobody edited since; the rest is left and counted. */
export async function undoImport(app: App, author: Author, row: ImportRow) {
  if (!(await isUndoable(app, row))) throw new Conflict('This import cannot be undone.')
  if (undoEnd(row) < new Date()) throw new Conflict('This import can no longer be undone.')
  const importer = findImporter(app, row.kind)
  await claimUndo(app, row)
  if ('whole' in importer) await importer.whole.undo(app, row.id, (tx, figures) => endUndo(app, tx, author, row, figures))
  else await undoEntries(app, author, row, writersOf(app, importer))
  if (row.ownsFile && row.path) await rm(row.path, { force: true })
  publish(app, row)
}

async function undoEntries(app: App, author: Author, row: ImportRow, writers: Writers) {
  let removed = 0
  let last = null as Cursor | null
  for (;;) {
    const from: Cursor | null = last
    const entries: (typeof importEntries.$inferSelect)[] = await app.db
      .select()
      .from(importEntries)
      .where(
        and(
          eq(importEntries.importId, row.id),
          from ? sql`(${importEntries.source}, ${importEntries.entry}) > (${from.source}, ${from.entry})` : undefined,
        ),
      )
      .orderBy(asc(importEntries.source), asc(importEntries.entry))
      .limit(batchSize)
    if (entries.length === 0) break
    last = entries.at(-1) ?? null
    removed += await app.db.transaction((tx) => removeUnedited(tx, writers, entries))
    await pause(0)
  }
  await app.db.transaction(async (tx) => {
    const left = await tx.$count(importEntries, eq(importEntries.importId, row.id))
    await endUndo(app, tx, author, row, { removed, left })
  })
}

async function endUndo(
  app: App,
  tx: Database,
  author: Author,
  row: ImportRow,
  { removed, left }: { removed: number; left: number },
) {
  const ended = await tx
    .update(imports)
    .set({ left, endedAt: new Date(), path: '', preview: [] })
    .where(and(eq(imports.id, row.id), halfUndone))
    .returning({ id: imports.id })
  // Another request ended the same undo.
  if (ended.length === 0) return
  await recordChange(tx, author, {
    area: 'imports',
    action: 'undo_import',
    entryId: row.id,
    after: { kind: row.kind, removed, left, ...(left > 0 && { entries: await findNumbers(app, tx, row) }) },
  })
}

const halfUndone = and(eq(imports.state, 'undone'), isNull(imports.left))

/** From here on nobody continues it; an undo that is cut off may be asked for again. */
async function claimUndo(app: App, { id }: ImportRow) {
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('imports'))`)
    const claimed = await tx
      .update(imports)
      .set({ state: 'undone', left: null, holder: null, leaseUntil: null })
      .where(and(eq(imports.id, id), or(inArray(imports.state, ['done', 'stopped', 'failed']), halfUndone)))
      .returning({ id: imports.id })
    if (claimed.length === 0) throw new Conflict('This import cannot be undone.')
  })
}

async function removeUnedited(tx: Database, writers: Writers, entries: (typeof importEntries.$inferSelect)[]) {
  const marks = await findMarks(tx, writers, entries)
  const markOf = ({ writer, entryId }: (typeof entries)[number]) => marks.get(`${writer}/${entryId}`)
  const own = entries.filter((one) => !one.isUpdated && markOf(one) === one.mark)
  for (const [name, writer] of Object.entries(writers)) {
    const ids = own.filter((one) => one.writer === name).map(({ entryId }) => entryId)
    if (ids.length > 0) await writer.remove(tx, ids)
  }
  // What was deleted by hand may come again too.
  const gone = [...own, ...entries.filter((one) => markOf(one) === undefined)]
  for (const { source, entry } of gone)
    await tx.delete(importEntries).where(and(eq(importEntries.source, source), eq(importEntries.entry, entry)))
  return own.length
}
