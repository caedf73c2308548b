import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import { users } from '#src/features/people/server/table.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { DataExport } from '../contract.ts'
import { exportMail } from '../texts.ts'
import { writeArchive } from './archive.ts'
import { dataExports } from './table.ts'

type Row = typeof dataExports.$inferSelect

/** How long an archive can be fetched. */
export const exportHours = 24
const dayMs = exportHours * 3_600_000
/** A process renews its hold while it writes. */
const holdMs = 60_000
const renewMs = 2_000

const folderOf = ({ config }: App) => join(config.dataDir, 'exports')
const fileOf = (app: App, id: number) => join(folderOf(app), `${id}.zip`)
const endOf = ({ readyAt }: Row) => (readyAt ? new Date(readyAt.getTime() + dayMs) : null)

export function entityOf(row: Row): DataExport {
  const endsAt = endOf(row)
  const isOver = row.state === 'ready' && endsAt !== null && endsAt < new Date()
  return {
    id_export: row.id,
    state: isOver ? 'stopped' : row.state,
    done: row.done,
    total: row.total === null ? null : Math.max(row.total, row.done),
    bytes: row.bytes,
    created_at: row.createdAt.toISOString(),
    ready_at: row.readyAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
  }
}

/** The exports of a user, newest first. */
export async function findExports({ db }: App, userId: number) {
  const rows = await db.select().from(dataExports).where(eq(dataExports.userId, userId)).orderBy(desc(dataExports.id)).limit(20)
  return rows.map(entityOf)
}

async function findRow({ db }: App, userId: number, id: number) {
  const [row] = await db
    .select()
    .from(dataExports)
    .where(and(eq(dataExports.id, id), eq(dataExports.userId, userId)))
  if (!row) throw new NotFound('This export does not exist.')
  return row
}

export const findExport = async (app: App, userId: number, id: number) => entityOf(await findRow(app, userId, id))

/** Asks for an archive; one of a user is made at a time. */
export async function startExport({ db }: App, author: Author, userId: number) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('data_exports'))`)
    const open = and(eq(dataExports.userId, userId), inArray(dataExports.state, ['waiting', 'running']))
    if ((await tx.$count(dataExports, open)) > 0) throw new Conflict('An export is already being made.', { reason: 'running' })
    const [row] = await tx.insert(dataExports).values({ userId }).returning()
    if (!row) throw new Error('no export was stored')
    await recordChange(tx, author, { area: 'company', action: 'export', entryId: `export/${row.id}` })
    return entityOf(row)
  })
}

export async function stopExport(app: App, userId: number, id: number) {
  const row = await findRow(app, userId, id)
  if (row.state === 'waiting' || row.state === 'running') {
    await app.db.update(dataExports).set({ state: 'stopped' }).where(eq(dataExports.id, id))
  }
  return findExport(app, userId, id)
}

/** The archive of an export that can still be fetched. */
export async function openExport(app: App, userId: number, id: number) {
  const row = await findRow(app, userId, id)
  if (entityOf(row).state !== 'ready') throw new NotFound('This archive was fetched, or its day is over. Make another one.')
  const path = fileOf(app, id)
  const file = await stat(path).catch(() => null)
  if (!file) throw new NotFound('This archive is not on this server any more. Make another one.')
  return { path, bytes: file.size, name: `guichet-${row.createdAt.toISOString().slice(0, 10)}.zip` }
}

/** After an archive was sent completely. */
export async function noteFetched(app: App, author: Author, id: number) {
  await app.db.transaction(async (tx) => {
    await tx.update(dataExports).set({ state: 'fetched' }).where(eq(dataExports.id, id))
    await recordChange(tx, author, { area: 'company', action: 'download', entryId: `export/${id}` })
  })
  await rm(fileOf(app, id), { force: true })
}

/** Claims an export that waits, or whose process died. */
export async function takeExport(app: App, stopping: AbortSignal) {
  const now = new Date()
  const waiting = or(eq(dataExports.state, 'waiting'), and(eq(dataExports.state, 'running'), lt(dataExports.heldUntil, now)))
  const next = app.db
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(waiting)
    .orderBy(dataExports.id)
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await app.db
    .update(dataExports)
    .set({ state: 'running', done: 0, total: null, heldUntil: new Date(now.getTime() + holdMs) })
    .where(inArray(dataExports.id, next))
    .returning()
  return row ? [() => makeExport(app, row, stopping)] : []
}

async function makeExport(app: App, { id, userId }: Row, stopping: AbortSignal) {
  const stopped = new AbortController()
  const signal = AbortSignal.any([stopped.signal, stopping])
  let [done, total]: [number, number | null] = [0, null]
  const own = and(eq(dataExports.id, id), eq(dataExports.state, 'running'))
  const renew = async () => {
    const values = { done, total, heldUntil: new Date(Date.now() + holdMs) }
    const rows = await app.db.update(dataExports).set(values).where(own).returning({ id: dataExports.id })
    if (rows.length === 0) stopped.abort(new Error('the export was stopped'))
  }
  const timer = setInterval(
    () => void renew().catch((error: unknown) => app.log.warn({ err: error }, 'an export was not renewed')),
    renewMs,
  )
  try {
    await mkdir(folderOf(app), { recursive: true, mode: 0o700 })
    const progress = async (more: number, all: number | null) => {
      ;[done, total] = [more, all]
      await Promise.resolve()
    }
    const { bytes } = await writeArchive(app, fileOf(app, id), progress, signal)
    await finish(app, id, userId, bytes, done)
  } catch (error) {
    if (stopping.aborted) {
      await app.db.update(dataExports).set({ state: 'waiting' }).where(own)
    } else if (!stopped.signal.aborted) {
      app.log.error({ err: error }, 'an export failed')
      await app.db.update(dataExports).set({ state: 'failed' }).where(own)
    }
  } finally {
    clearInterval(timer)
  }
}

/** Tells who asked, also where the page was left meanwhile. */
async function finish(app: App, id: number, userId: number, bytes: number, done: number) {
  await app.db.transaction(async (tx) => {
    const [row] = await tx
      .update(dataExports)
      .set({ state: 'ready', bytes, done, total: done, readyAt: new Date() })
      .where(and(eq(dataExports.id, id), eq(dataExports.state, 'running')))
      .returning()
    if (!row) return
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (!user?.email) return
    const [subject, body] = [
      `${exportMail.fr.subject} / ${exportMail.en.subject}`,
      [exportMail.fr.body, exportMail.en.body]
        .map((text) => text.replace('{address}', `${app.config.publicUrl ?? ''}/admin/exports`))
        .join('\n\n'),
    ]
    await app.mailer.enqueue(tx, { to: user.email, subject, body, endsAt: new Date(Date.now() + dayMs) })
  })
}

/** Removes archives whose day is over, and what interrupted ones left; returns their number. */
export async function endExports(app: App, before: Date, limit: number) {
  const old = app.db
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(
      and(
        lt(dataExports.createdAt, before),
        or(lt(dataExports.readyAt, before), inArray(dataExports.state, ['failed', 'stopped', 'fetched'])),
      ),
    )
    .limit(limit)
  const removed = await app.db.delete(dataExports).where(inArray(dataExports.id, old)).returning({ id: dataExports.id })
  for (const { id } of removed) await rm(fileOf(app, id), { force: true })
  const known = new Set((await app.db.select({ id: dataExports.id }).from(dataExports)).map(({ id }) => id))
  for (const name of await readdir(folderOf(app)).catch(() => [])) {
    if (!known.has(Number.parseInt(name, 10))) await rm(join(folderOf(app), name), { force: true })
  }
  return removed.length
}
