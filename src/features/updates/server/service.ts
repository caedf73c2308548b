import { commandAuthor } from '#src/server/http/command-key.ts'
import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { ContentCache, Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import type { ContentContext } from '#src/features/content/server/content.ts'
import type { NameElements } from '#src/features/content/server/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict, Invalid } from '#src/server/problems.ts'
import type { ElementReference, MaintenanceWindow, PastUpdate, UpdateAlert, UpdateAlertInput } from '../contract.ts'
import type { WindowState } from '../values.ts'
import { adviceMinutes } from '../values.ts'
import { updateWindows } from './table.ts'

export const announceCommand = 'announce-update'

export const announceAuthor = commandAuthor(announceCommand)

/** The product, or what a command has of it. */
export type Namer = Reader & { nameElements: NameElements }

export type WindowRow = typeof updateWindows.$inferSelect

const minuteMs = 60_000
const dayMs = 86_400_000
const farthestMs = 36_525 * dayMs
const doneShownMs = 7 * dayMs
const publishedMs = 90 * dayMs
const historyShown = 50

/** The announced update; null when there is none or the last one is over. */
export async function findUpdateAlert(db: Database): Promise<UpdateAlert | null> {
  const row = await findLive(db)
  return row ? toAlert(row) : null
}

/** Announces the next update and replaces the announced one; one that has begun stays in the history. */
export async function setUpdateAlert(
  { db, events, nameElements }: ContentContext & Pick<Namer, 'nameElements'>,
  author: Author,
  input: UpdateAlertInput,
): Promise<UpdateAlert> {
  const values = valuesOf(input)
  const alert = await db.transaction(async (tx) => {
    await lockWindows(tx)
    // Under the lock, which whoever renames a component takes too: a name that is going would be stored.
    await checkElements({ db: tx, content: uncached, nameElements }, input.elements)
    const current = await findLive(tx)
    if (current && input.version !== undefined && input.version !== current.version) {
      throw new Conflict('Someone else saved this entry in the meantime.', { current: toAlert(current) })
    }
    const isSame = current && (current.startsAt > new Date() || current.startsAt.getTime() === values.startsAt.getTime())
    if (isSame) return change(tx, author, current, values)
    if (current) await close(tx, author, current)
    const [row] = await tx
      .insert(updateWindows)
      .values({ ...values, publishedAt: values.public ? new Date() : null })
      .returning()
    if (!row) throw new Error('the update was not stored')
    await recordChange(tx, author, { area: 'updates', action: 'create', entryId: row.id, after: toAlert(row) })
    return toAlert(row)
  })
  events.changed('updates')
  return alert
}

/** Removes the alert; does nothing where there is none. */
export async function removeUpdateAlert({ db, events }: ContentContext, author: Author) {
  const isRemoved = await db.transaction(async (tx) => {
    await lockWindows(tx)
    const current = await findLive(tx)
    if (current) await close(tx, author, current)
    return current !== undefined
  })
  if (isRemoved) events.changed('updates')
}

/** Public windows that visitors see: scheduled, in progress, or recently completed. */
export async function readMaintenance(app: Namer): Promise<MaintenanceWindow[]> {
  const now = new Date()
  const rows = await readPublished(app)
  const shown = rows.flatMap((row) => {
    const state = stateOf(row, now)
    if (!row.public || state === 'cancelled' || row.endsAt.getTime() < now.getTime() - doneShownMs) return []
    return [{ row, state }]
  })
  return Promise.all(
    shown.map(async ({ row, state }) => {
      const { id_update, next_update, ends_at, message, message_en, elements } = toAlert(row)
      const names = await nameWindow(app, row)
      return { id_update, starts_at: next_update, ends_at, message, message_en, elements, names, state }
    }),
  )
}

/** What the maintenance concerns, in words; components that were deleted since are left out. */
export async function nameWindow(app: Namer, { elements }: Pick<WindowRow, 'elements'>) {
  const names = elements.length > 0 ? await app.nameElements(app, elements) : []
  const nameIn = (language: Language) => names.flatMap((name) => name?.[language] ?? [])
  return { fr: nameIn('fr'), en: nameIn('en') }
}

const uncached: ContentCache = { isCurrent: () => false, read: (_area, _key, find) => find() }

/** Refuses components that there are not, but for those that the announcement named already. */
async function checkElements(app: Namer, elements: readonly ElementReference[]) {
  const names = elements.length > 0 ? await app.nameElements(app, elements) : []
  const before = names.includes(null) ? ((await findUpdateAlert(app.db))?.elements ?? []) : []
  const isBefore = (one: ElementReference) => before.some(({ id_reseau, nom }) => id_reseau === one.id_reseau && nom === one.nom)
  const unknown = elements.flatMap((one, index) => (names[index] || isBefore(one) ? [] : [index]))
  if (unknown.length === 0) return
  const errors = unknown.map((index) => ({ path: `elements.${index}`, message: 'unknown' }))
  throw new Invalid('Some values are not valid.', errors)
}

/** Windows that calendars contain or recently contained. */
export const readPublished = ({ content, db }: Reader) => content.read('updates', 'windows', () => findPublished(db))

/** The announcements so far, newest first. */
export async function findUpdateHistory(db: Database): Promise<PastUpdate[]> {
  const now = new Date()
  const rows = await db.select().from(updateWindows).orderBy(desc(updateWindows.id)).limit(historyShown)
  return rows.map((row) => ({ ...toAlert(row), state: stateOf(row, now) }))
}

export function stateOf({ startsAt, endsAt, closedAt }: WindowRow, now: Date): WindowState {
  if (closedAt && closedAt <= startsAt) return 'cancelled'
  if (now < startsAt) return 'planned'
  return now < endsAt ? 'running' : 'done'
}

async function findPublished(db: Database): Promise<WindowRow[]> {
  return db
    .select()
    .from(updateWindows)
    .where(and(isNotNull(updateWindows.publishedAt), gt(updateWindows.endsAt, new Date(Date.now() - publishedMs))))
    .orderBy(asc(updateWindows.startsAt), asc(updateWindows.id))
}

/** Announced maintenance that ended after this time, with its components. */
export async function findAnnouncedSince(db: Database, since: Date): Promise<WindowRow[]> {
  const rows = await db
    .select()
    .from(updateWindows)
    .where(and(isNotNull(updateWindows.publishedAt), gt(updateWindows.endsAt, since)))
    .orderBy(asc(updateWindows.startsAt))
  return rows.filter((row) => row.public && stateOf(row, new Date()) !== 'cancelled')
}

export type MaintenanceRow = WindowRow & { isCancelled: boolean }

/** Announced maintenance that has not begun, with what was cancelled of it. */
export async function findComingMaintenance(db: Database, now: Date): Promise<MaintenanceRow[]> {
  const rows = await db
    .select()
    .from(updateWindows)
    .where(and(isNotNull(updateWindows.publishedAt), gt(updateWindows.startsAt, now)))
    .orderBy(asc(updateWindows.startsAt))
  return rows.map((row) => ({ ...row, isCancelled: !row.public || stateOf(row, now) === 'cancelled' }))
}

/** The networks that maintenance names, past or to come, but for what was removed before it began. */
export async function findMaintainedNetworks(db: Database): Promise<number[]> {
  const tookPlace = or(isNull(updateWindows.closedAt), gt(updateWindows.closedAt, updateWindows.startsAt))
  const rows = await db.select({ elements: updateWindows.elements }).from(updateWindows).where(tookPlace)
  return rows.flatMap(({ elements }) => elements.map((one) => one.id_reseau))
}

/** Maintenance follows a component to its new name. */
export async function renameInWindows(tx: Database, { id_reseau, nom }: ElementReference, renamed: string) {
  const named = JSON.stringify([{ id_reseau, nom }])
  const rows = await tx
    .select()
    .from(updateWindows)
    .where(sql`${updateWindows.elements} @> ${named}::jsonb`)
  for (const { id, elements } of rows) {
    const after = elements.map((one) => (one.id_reseau === id_reseau && one.nom === nom ? { id_reseau, nom: renamed } : one))
    await tx.update(updateWindows).set({ elements: after }).where(eq(updateWindows.id, id))
  }
}

async function findLive(db: Database) {
  const [row] = await db
    .select()
    .from(updateWindows)
    .where(and(isNull(updateWindows.closedAt), gt(updateWindows.endsAt, new Date(Date.now() - adviceMinutes * minuteMs))))
    .orderBy(desc(updateWindows.id))
    .limit(1)
  return row
}

async function change(tx: Database, author: Author, before: WindowRow, values: ReturnType<typeof valuesOf>) {
  const publishedAt = before.publishedAt ?? (values.public ? new Date() : null)
  return store(tx, author, 'update', before, { ...values, publishedAt })
}

/** One that has begun ends now; a scheduled one never takes place. */
async function close(tx: Database, author: Author, before: WindowRow) {
  const now = new Date()
  const endsAt = before.startsAt < now && now < before.endsAt ? now : before.endsAt
  await store(tx, author, 'delete', before, { closedAt: now, endsAt })
}

async function store(tx: Database, author: Author, action: 'update' | 'delete', before: WindowRow, values: Partial<WindowRow>) {
  const [row] = await tx
    .update(updateWindows)
    .set({ ...values, version: before.version + 1, updatedAt: new Date() })
    .where(eq(updateWindows.id, before.id))
    .returning()
  if (!row) throw new Error('the update was not stored')
  const after = toAlert(row)
  await recordChange(tx, author, {
    area: 'updates',
    action,
    entryId: row.id,
    before: toAlert(before),
    ...(action === 'delete' ? {} : { after }),
  })
  return after
}

/** Serializes writers, because there is only one next update. */
export async function lockWindows(tx: Database) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('update_windows'))`)
}

function valuesOf(input: UpdateAlertInput) {
  const startsAt = new Date(input.next_update)
  const endsAt = new Date(startsAt.getTime() + input.duration_minutes * minuteMs)
  const refuse = (message: string) => new Invalid('Some values are not valid.', [{ path: 'next_update', message }])
  if (endsAt.getTime() <= Date.now()) throw refuse('in the past')
  if (startsAt.getTime() > Date.now() + farthestMs) throw refuse('too far ahead')
  return {
    startsAt,
    endsAt,
    message: input.message.trim(),
    messageEn: input.message_en.trim(),
    public: input.public,
    elements: input.elements,
  }
}

function toAlert(row: WindowRow): UpdateAlert {
  return {
    id_update: row.id,
    next_update: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    duration_minutes: Math.max(1, Math.round((row.endsAt.getTime() - row.startsAt.getTime()) / minuteMs)),
    message: row.message,
    message_en: row.messageEn,
    public: row.public,
    elements: row.elements,
    version: row.version,
  }
}
