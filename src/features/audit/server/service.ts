import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { company } from '#company/company.ts'
import type { DeletedEntry } from '#src/features/content/server/content.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { findContent, hasVersions } from '#src/features/content/versions/server/routes.ts'
import { nameOf, savingActions, versionActions } from '#src/features/content/versions/values.ts'
import { translator } from '#src/lib/language/texts.ts'
import { mostCounted } from '#src/lib/lists.ts'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { decryptEntries } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Published } from '#src/server/audit-log/published.ts'
import { publishLastHash } from '#src/server/audit-log/published.ts'
import { Conflict, Forbidden, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { AuditChange, AuditEntry, AuditFilter } from '../contract.ts'
import { hashMailTexts } from '../texts.ts'
import { auditPageSize } from '../values.ts'

const later = alias(auditLog, 'later')

/** A page of the matching events, and the number of all matches, up to 10,001. */
export async function findAuditEntries(app: Lookup, filter: AuditFilter): Promise<{ rows: AuditEntry[]; total: number }> {
  const { db } = app
  const limit = filter.limit ?? auditPageSize
  const offset = ((filter.page ?? 1) - 1) * limit
  const names = filter.who ? await findUserNames(db, filter.who) : null
  if (names?.length === 0) return { rows: [], total: 0 }
  const isOldestFirst = filter.sort === 'at'
  const where = and(
    filter.area ? eq(auditLog.area, filter.area) : undefined,
    filter.action ? eq(auditLog.action, filter.action) : undefined,
    filter.entry ? eq(auditLog.entryId, filter.entry) : undefined,
    names ? inArray(auditLog.userName, names) : undefined,
    filter.from ? gte(auditLog.id, firstIdSince(db, dayStart(filter.from))) : undefined,
    filter.to ? lt(auditLog.id, firstIdSince(db, sql`${dayStart(filter.to)} + interval '1 day'`)) : undefined,
    filter.after ? (isOldestFirst ? gt : lt)(auditLog.id, filter.after) : undefined,
  )
  const counted = db.select({ id: auditLog.id }).from(auditLog).where(where).limit(mostCounted).as('counted')
  const total = await db.$count(counted)
  // Further on, `after` pages by key: an offset reads everything before it.
  if (offset >= mostCounted) return { rows: [], total }
  const order = isOldestFirst ? asc(auditLog.id) : desc(auditLog.id)
  // The page first: what is selected is computed for the skipped rows, too.
  const page = await db.select({ id: auditLog.id }).from(auditLog).where(where).orderBy(order).limit(limit).offset(offset)
  const ids = page.map(({ id }) => id)
  const rows = await db
    .select({ entry: auditLog, isLast: isLastOfEntry() })
    .from(auditLog)
    .where(inArray(auditLog.id, ids))
    .orderBy(order)
  const read = await decryptEntries(
    db,
    rows.map(({ entry }) => entry),
  )
  const known = await findKnown(app, read)
  return { rows: read.map((entry, index) => toEntry(app, entry, rows[index]?.isLast ?? false, known.get(keyOf(entry)))), total }
}

/** Of the users in the log, read from the index name by name: they are few, and their events are many. */
async function findUserNames(db: Database, who: string) {
  const pattern = `%${who.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { rows } = (await db.execute(sql`
    with recursive names as (
      (select user_name from journal order by user_name limit 1)
      union all
      select (select user_name from journal where user_name > names.user_name order by user_name limit 1)
      from names where names.user_name is not null
    )
    select user_name from names where user_name ilike ${pattern} limit 500`)) as { rows: { user_name: string }[] }
  return rows.map((row) => row.user_name)
}

/** Ids increase with time; the index of the times gives the first one. Above every id where there is none. */
function firstIdSince(db: Database, moment: SQL) {
  const first = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(gte(auditLog.at, moment))
    .orderBy(asc(auditLog.at), asc(auditLog.id))
    .limit(1)
  return sql`coalesce((${first}), 2147483647)`
}

/** Restores a deleted entry; the caller needs write access to its area. */
export async function restoreDeleted(
  app: Pick<App, 'db' | 'events' | 'contents'>,
  author: Author,
  rights: Rights,
  eventId: number,
) {
  const [row] = await app.db.select({ entry: auditLog, isLast: isLastOfEntry() }).from(auditLog).where(eq(auditLog.id, eventId))
  if (!row) throw new NotFound('This audit log event does not exist.')
  const { isLast } = row
  const [entry = row.entry] = await decryptEntries(app.db, [row.entry])
  const content = findContent(app.contents, entry)
  if (!content || entry.action !== 'delete' || !entry.before)
    throw new Conflict('This event is not the deletion of an entry that can be restored.')
  if (!hasRight(rights, content.area, 'read_write')) throw new Forbidden()
  if (!isLast) throw new Conflict('This entry already exists.')
  await content.restore(app, author, entry.before as DeletedEntry)
}

/**
 * True of a deletion where no later event is about the same entry: it still does not exist. Asked of deletions alone, because an
 * entry that is changed every day has thousands of events.
 */
function isLastOfEntry() {
  return sql<boolean>`case when ${auditLog.action} = 'delete' then not exists (select 1 from ${auditLog} as "later"
    where ${and(eq(later.area, auditLog.area), eq(later.entryId, auditLog.entryId), gt(later.id, auditLog.id))}) else false end`
}

/** The first instant of a day in the company's time zone. */
function dayStart(day: string) {
  return sql`(${day}::date::timestamp at time zone ${company.hours.timeZone})`
}

type Read = typeof auditLog.$inferSelect & { isErased: boolean }

const keyOf = ({ area, entryId }: Pick<Read, 'area' | 'entryId'>) => `${area} ${entryId}`
/** How many of an entry's newest events are read to find its name. */
const searchedForName = 5

/** What is looked up for the events of a page, by their entry. */
type Known = { name: string | null; newest: { id: number; action: string } | undefined }
type Lookup = Pick<App, 'db' | 'contents' | 'storedSettings'>

const nameIn = ({ contents }: Pick<App, 'contents'>, event: Pick<Read, 'area' | 'entryId' | 'before' | 'after'>) => {
  const content = findContent(contents, event)
  return content ? (content.nameOfState(event.after) ?? content.nameOfState(event.before)) : nameOf(event.after, event.before)
}

type Found = Record<'area' | 'entry_id', string> & { id: number | null; action: string | null }
type FoundState = { state_id: number | null; before: unknown; after: unknown }

/** The names of entries that their events do not name, and the last saves of those with versions: one statement for a page. */
async function findKnown(app: Lookup, rows: readonly Read[]) {
  const known = new Map<string, Known>()
  const groups = Map.groupBy(
    rows.filter(({ entryId }) => entryId !== null),
    keyOf,
  )
  const wanted = [...groups.values()].flatMap((events) => {
    const [one] = events
    const isUnnamed = events.some((event) => !isSignIn(event) && nameIn(app, event) === null)
    const isVersioned = one !== undefined && hasVersions(app, one)
    return one && (isUnnamed || isVersioned) ? [{ ...one, isUnnamed, isVersioned }] : []
  })
  if (wanted.length === 0) return known
  const listOf = <Key extends keyof (typeof wanted)[number]>(key: Key) => sql.param(wanted.map((one) => one[key]))
  const isOfEntry = sql`journal.area = entry.area and journal.entry_id = entry.entry_id`
  const { rows: found } = (await app.db.execute(sql`
    select entry.area, entry.entry_id, newest.id, newest.action, state.id as state_id, state.before, state.after
    from unnest(${listOf('area')}::text[], ${listOf('entryId')}::text[], ${listOf('isUnnamed')}::boolean[],
      ${listOf('isVersioned')}::boolean[]) as entry(area, entry_id, is_unnamed, is_versioned)
    left join lateral (
      select journal.id, journal.action from journal
      where entry.is_versioned and ${isOfEntry} and journal.action = any(${sql.param(stateActions)}::text[])
      order by journal.id desc limit 1
    ) newest on true
    left join lateral (
      select journal.id, journal.before, journal.after from journal where entry.is_unnamed and ${isOfEntry}
      order by journal.id desc limit ${searchedForName}
    ) state on true
    order by state.id desc`)) as { rows: (Found & FoundState)[] }
  const states = await decryptEntries(
    app.db,
    found.map((one) => ({ ...one, id: one.state_id ?? 0 })),
  )
  for (const [index, { area, entry_id: entryId, id, action }] of found.entries()) {
    const { before = null, after = null } = states[index] ?? {}
    const key = keyOf({ area, entryId })
    const newest = id !== null && action !== null ? { id, action } : undefined
    known.set(key, { name: known.get(key)?.name ?? nameIn(app, { area, entryId, before, after }), newest })
  }
  return known
}

/** A user has thousands of sign-ins, and each event has the user's name. */
const isSignIn = ({ area, action }: Pick<Read, 'area' | 'action'>) => area === 'users' && action === 'sign in'

/** Events that store the whole state of an entry, and its deletion. */
const stateActions = [...savingActions, 'delete']

function toEntry(app: Lookup, entry: Read, isLast: boolean, known: Known | undefined): AuditEntry {
  const content = findContent(app.contents, entry)
  const isFormer = known?.newest !== undefined && known.newest.action !== 'delete' && known.newest.id !== entry.id
  return {
    id_entry: entry.id,
    at: entry.at.toISOString(),
    id_user: entry.userId,
    user_name: entry.userName,
    address: entry.address,
    area: entry.area,
    action: entry.action,
    entry_id: entry.entryId,
    before: entry.before,
    after: entry.after,
    hash: entry.hash,
    is_erased: entry.isErased,
    restorable: isLast && entry.action === 'delete' && entry.before !== null && content !== undefined,
    reusable:
      isFormer && versionActions.includes(entry.action) && entry.after !== null && !entry.isErased && hasVersions(app, entry),
    name: nameIn(app, entry) ?? (isSignIn(entry) ? entry.userName : (known?.name ?? null)),
  }
}

/**
 * Publishes the last hash of the audit log outside the database: in the log, in `DATA_DIR` and its backups, and by mail to the
 * administrators. Rewriting or truncating the audit log would then require changing those too.
 */
export async function publishAuditLogHash(app: App) {
  const published = await publishLastHash(app.db, app.config.dataDir)
  if (!published) return
  app.log.info(published, 'last hash of the audit log')
  if (app.mailer.canSend) await mailAdministrators(app, published)
}

async function mailAdministrators(app: App, { at, line, hash }: Published) {
  const found = await app.db
    .selectDistinct({ email: users.email })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(
      and(
        eq(users.locked, false),
        isNotNull(users.passwordHash),
        ne(users.email, ''),
        eq(groups.enabled, true),
        sql`${groups.rights}->>'users' = 'administrator'`,
        sql`${groups.rights}->>'groups' = 'administrator'`,
      ),
    )
  const [fr, en] = [translator(hashMailTexts, 'fr'), translator(hashMailTexts, 'en')]
  const values = { company: company.name, day: at.slice(0, 10), line, hash }
  await app.db.transaction(async (tx) => {
    for (const { email } of found) {
      await app.mailer.enqueue(tx, {
        to: email,
        subject: `${fr('subject', values)} / ${en('subject', values)}`,
        body: `${fr('body', values)}\n\n---\n\n${en('body', values)}\n`,
      })
    }
  })
}

/** Of so many last events: among sign-ins alone there may be no change. */
const searchedForChanges = 500
const shownChanges = 5

export async function findLastChanges({ db, contents }: Pick<App, 'db' | 'contents'>): Promise<AuditChange[]> {
  const last = db.select({ id: sql`max(${auditLog.id})` }).from(auditLog)
  const rows = await db
    .select()
    .from(auditLog)
    .where(
      and(
        gt(auditLog.id, sql`(${last}) - ${searchedForChanges}`),
        inArray(auditLog.action, ['create', 'update', 'delete', 'restore', 'reuse']),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(shownChanges)
  return (await decryptEntries(db, rows)).map(({ id, at, userId, userName, area, action, entryId, before, after }) => ({
    id_entry: id,
    at: at.toISOString(),
    id_user: userId,
    user_name: userName,
    area,
    action,
    entry_id: entryId,
    name: nameOf(after, before) ?? findContent(contents, { area, entryId })?.nameOfState(after ?? before) ?? null,
  }))
}
