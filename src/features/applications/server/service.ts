import { suspectedDays, undoMs } from '#src/lib/suspected.ts'
import type { SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { and, asc, count, desc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { setImmediate } from 'node:timers/promises'
import { company } from '#company/company.ts'
import { findUndoable, scheduleSettling, settleLater, undoneState } from '#src/server/background/decisions.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '#src/server/problems.ts'
import { findPeriods } from '#src/server/retention/periods.ts'
import type { App } from '#src/server/types.ts'
import { exportTexts } from '../admin-texts.ts'
import type { Application, ApplicationChange, ApplicationQuery, ApplicationSummary } from '../contract.ts'
import { applicationMailTexts } from '../mail-texts.ts'
import { statusLabels } from '../status-labels.ts'
import { applicationsPerPage } from '../values.ts'
import { announceApplication } from './receive.ts'
import { applicationFilePieces, applicationFiles, applications } from './table.ts'

type Row = typeof applications.$inferSelect
type Filter = Omit<ApplicationQuery, 'page'>

const fileCount = sql<number>`(select count(*)::int from application_files where application_files.application_id = "applications"."id")`

/** What a trap caught is in no list but its own. */
function matching({ status, job, search }: Filter): SQL | undefined {
  const words = `%${(search ?? '').trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return and(
    isNull(applications.removedAt),
    status ? eq(applications.status, status) : sql`${applications.status} <> 'suspected'`,
    job === undefined ? undefined : eq(applications.jobId, job),
    search?.trim()
      ? sql`search_text(${applications.firstName} || ' ' || ${applications.lastName} || ' ' || ${applications.email} || ' ' || ${applications.reference} || ' ' || ${applications.phone}) like search_text(${words})`
      : undefined,
  )
}

export async function findApplications(db: Database, { page, ...filter }: ApplicationQuery) {
  const [total, rows] = await Promise.all([
    db.$count(applications, matching(filter)),
    db
      .select({ row: applications, files: fileCount })
      .from(applications)
      .where(matching(filter))
      .orderBy(desc(applications.createdAt), desc(applications.id))
      .limit(applicationsPerPage)
      .offset((page - 1) * applicationsPerPage),
  ])
  return { rows: rows.map(({ row, files }) => summaryOf(row, files)), total }
}

/** How many wait: new ones, and those that a trap caught. */
export async function countWaiting(db: Database) {
  const rows = await db
    .select({ status: applications.status, count: count() })
    .from(applications)
    .where(and(isNull(applications.removedAt), inArray(applications.status, ['new', 'suspected'])))
    .groupBy(applications.status)
  const of = (status: Row['status']) => rows.find((row) => row.status === status)?.count ?? 0
  return { new: of('new'), suspected: of('suspected') }
}

function summaryOf(row: Row, files: number): ApplicationSummary {
  return {
    id_application: row.id,
    reference: row.reference,
    id_emploi: row.jobId,
    job_title: row.jobTitle,
    status: row.status,
    name: `${row.firstName} ${row.lastName}`,
    email: row.email,
    phone: row.phone,
    language: row.language,
    file_count: files,
    source: row.source,
    created_at: row.createdAt.toISOString(),
  }
}

/** One whose deletion can still be undone is gone for everybody. */
const exists = (id: number | PgColumn) => and(eq(applications.id, id), isNull(applications.removedAt))

export async function findApplication(db: Database, id: number): Promise<Application> {
  const [row] = await db.select().from(applications).where(exists(id))
  if (!row) throw new NotFound('This application does not exist.')
  const files = await db
    .select()
    .from(applicationFiles)
    .where(eq(applicationFiles.applicationId, id))
    .orderBy(asc(applicationFiles.id))
  const { count: length, unit } = (await findPeriods(db)).applications
  const erased = new Date(row.createdAt)
  if (unit === 'months') erased.setUTCMonth(erased.getUTCMonth() + length)
  else erased.setUTCDate(erased.getUTCDate() + length)
  return {
    ...summaryOf(row, files.length),
    message: row.message,
    note: row.note,
    trap: row.trap,
    files: files.map(({ id: idFile, name, size }) => ({ id_file: idFile, name, size })),
    erased_on: erased.toISOString(),
    version: row.version,
  }
}

/** Only the staff take a suspected one, which is then announced like another, once that cannot be undone. */
export async function changeApplication(app: App, author: Author, id: number, { version, ...change }: ApplicationChange) {
  await app.db.transaction(async (tx) => {
    const [row] = await tx.select().from(applications).where(exists(id)).for('update')
    if (!row) throw new NotFound('This application does not exist.')
    if (version !== undefined && version !== row.version)
      throw new Conflict('Someone else saved this application in the meantime.', { current: await findApplication(tx, id) })
    const next = { status: change.status ?? row.status, note: change.note ?? row.note }
    if (next.status === row.status && next.note === row.note) return
    const [isTaken, now] = [row.status === 'suspected', new Date()]
    if (isTaken && next.status !== 'new')
      throw new Invalid('A suspected application is taken first.', [{ path: 'status', message: 'invalid' }])
    await tx
      .update(applications)
      .set({ ...next, takenAt: isTaken ? now : row.takenAt, version: row.version + 1, updatedAt: now })
      .where(eq(applications.id, id))
    if (isTaken) await settleLater(app, tx, settling, id, now)
    const { application_status, ...facts } = factsOf(row)
    await recordChange(tx, author, {
      area: 'applications',
      action: 'update',
      entryId: id,
      before: { ...facts, application_status },
      after: { ...facts, application_status: next.status, ...(next.note !== row.note && { note_changed: true }) },
    })
  })
  return findApplication(app.db, id)
}

/** A suspected one is hidden, and deleted once that cannot be undone. */
export async function removeApplication(app: Pick<App, 'db' | 'queue'>, author: Author, id: number, mayRemove: boolean) {
  await app.db.transaction(async (tx) => {
    const [row] = await tx.select().from(applications).where(exists(id)).for('update')
    if (!row) throw new NotFound('This application does not exist.')
    if (row.status === 'suspected') {
      const removedAt = new Date()
      await tx.update(applications).set({ removedAt }).where(eq(applications.id, id))
      await settleLater(app, tx, settling, id, removedAt)
    } else {
      if (!mayRemove) throw new Forbidden()
      await deleteApplications(tx, eq(applications.id, id))
    }
    await recordChange(tx, author, { area: 'applications', action: 'delete', entryId: id, before: factsOf(row) })
  })
}

/** A note is about a person: it stays in its row, which ends with its period. */
const factsOf = ({ reference, jobTitle, status }: Row) => ({ reference, job_title: jobTitle, application_status: status })

const settling = 'applications-settle'

export const scheduleDecisions = (app: App) => scheduleSettling(app, settling, () => settleDecisions(app))

/** Takes back that a suspected one was taken, or that it was deleted. */
export async function undoDecision({ db }: Pick<App, 'db'>, author: Author, id: number, now = new Date()) {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(applications).where(eq(applications.id, id)).for('update')
    if (!row) throw new NotFound('This application does not exist.')
    const decision = findUndoable(row, now)
    if (!decision) throw new Conflict('It is too late to undo this.')
    const [isTaken, next] = [decision === 'taken', undoneState(row, now)]
    await tx.update(applications).set(next).where(eq(applications.id, id))
    const states = { ...(isTaken && { before: factsOf(row) }), after: factsOf({ ...row, ...next }) }
    await recordChange(tx, author, { area: 'applications', action: isTaken ? 'update' : 'restore', entryId: id, ...states })
  })
  return findApplication(db, id)
}

/** Deletes what was thrown away, and announces what was taken, once neither can be undone. */
export async function settleDecisions({ db, mailer, config }: Pick<App, 'db' | 'mailer' | 'config'>, now = new Date()) {
  const before = new Date(now.getTime() - undoMs)
  await db.transaction(async (tx) => {
    await deleteApplications(tx, lte(applications.removedAt, before))
    const isDue = and(lte(applications.takenAt, before), isNull(applications.removedAt), ne(applications.status, 'suspected'))
    for (const row of await tx.select().from(applications).where(isDue).for('update', { skipLocked: true })) {
      await announceApplication(tx, { mailer, config }, row)
      await tx.update(applications).set({ takenAt: null }).where(eq(applications.id, row.id))
    }
  })
}

/** Deletes applications with their files and mails, the oldest first; returns how many. */
export async function deleteApplications(tx: Database, condition: SQL | undefined, limit = 10_000) {
  const rows = await tx
    .select({ id: applications.id, staff: applications.staffMailId, own: applications.ownMailId })
    .from(applications)
    .where(condition)
    .orderBy(asc(applications.createdAt))
    .limit(limit)
    // One whose deletion is undone at this moment is not deleted.
    .for('update')
  if (rows.length === 0) return 0
  await tx.delete(applications).where(
    inArray(
      applications.id,
      rows.map(({ id }) => id),
    ),
  )
  const mailIds = rows.flatMap(({ staff, own }) => [staff, own]).filter((id) => id !== null)
  if (mailIds.length > 0) await tx.delete(mails).where(and(inArray(mails.id, mailIds), eq(mails.onHold, false)))
  return rows.length
}

export const eraseOldApplications = (db: Database, before: Date, limit: number) =>
  db.transaction((tx) =>
    deleteApplications(
      tx,
      or(
        lt(applications.createdAt, before),
        and(
          eq(applications.status, 'suspected'),
          lt(applications.createdAt, sql`now() - make_interval(days => ${suspectedDays})`),
        ),
      ),
      limit,
    ),
  )

export async function findApplicationFile(db: Database, id: number, fileId: number) {
  const [file] = await db
    .select({ id: applicationFiles.id, name: applicationFiles.name, size: applicationFiles.size })
    .from(applicationFiles)
    .innerJoin(applications, exists(applicationFiles.applicationId))
    .where(and(eq(applicationFiles.id, fileId), eq(applications.id, id)))
  if (!file) throw new NotFound('There is no such file.')
  return file
}

/** Reads a file piece by piece. */
export async function* readApplicationFile(db: Database, fileId: number) {
  for (let position = 0; ; position += 1) {
    const [piece] = await db
      .select({ bytes: applicationFilePieces.bytes })
      .from(applicationFilePieces)
      .where(and(eq(applicationFilePieces.fileId, fileId), eq(applicationFilePieces.position, position)))
    if (!piece) return
    yield piece.bytes
    await setImmediate()
  }
}

const batch = 200
/** Named as in addresses, in both languages. */
const sourceColumns = ['utm_source', 'utm_medium', 'utm_campaign', 'referrer'] as const

/** The applications that match as a CSV file, newest first, line by line. */
export async function* exportApplications(db: Database, filter: Filter, language: Language) {
  const t = exportTexts[language]
  // The list separator of each language's spreadsheets; the mark in front makes them read UTF-8.
  const separator = language === 'fr' ? ';' : ','
  yield `\uFEFF${csvLine([t.reference, t.created, t.position, t.status, t.name, t.email, t.phone, t.message, t.language, ...sourceColumns], separator)}`
  for (let last: number | undefined; ;) {
    const rows = await db
      .select()
      .from(applications)
      .where(and(matching(filter), last === undefined ? undefined : lt(applications.id, last)))
      .orderBy(desc(applications.id))
      .limit(batch)
    for (const row of rows) {
      yield csvLine(
        [
          row.reference,
          localTime(company.hours.timeZone, row.createdAt).replace('T', ' '),
          row.jobTitle,
          statusLabels[row.status][language],
          `${row.firstName} ${row.lastName}`,
          row.email,
          row.phone,
          row.message,
          t[row.language],
          ...sourceColumns.map((name) => row.source?.[name] ?? ''),
        ],
        separator,
      )
    }
    last = rows.at(-1)?.id
    if (rows.length < batch) return
  }
}

const dayMs = 86_400_000

/** Once a day, where a trap caught something since: an application that nobody looks at is lost after a month. */
export async function mailSuspected({ db, config, mailer }: Pick<App, 'db' | 'config' | 'mailer'>, now = new Date()) {
  const isWaiting = and(eq(applications.status, 'suspected'), isNull(applications.removedAt))
  const recent = await db.$count(applications, and(isWaiting, gt(applications.createdAt, new Date(now.getTime() - dayMs))))
  if (recent === 0) return
  const values = { count: await db.$count(applications, isWaiting) }
  const [fr, en] = [translator(applicationMailTexts, 'fr'), translator(applicationMailTexts, 'en')]
  const address = config.publicUrl ? `${config.publicUrl}${suspectedPath}` : ''
  const bodyOf = (t: typeof fr) => `${t('suspectedText', values)}\n${address && `${t('suspectedLink')}\n${address}\n`}`
  await db.transaction((tx) =>
    mailer.enqueue(tx, {
      to: company.emails.hr,
      subject: `${fr('suspectedSubject', values)} / ${en('suspectedSubject', values)}`,
      body: [fr, en].map(bodyOf).join('\n---\n\n'),
    }),
  )
}

const suspectedPath = '/admin/candidatures?status=suspected'
