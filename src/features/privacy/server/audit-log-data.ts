import { and, arrayContains, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { requests } from '#src/features/requests/server/table.ts'
import { decryptEntries, keyEntryOf } from '#src/server/audit-log/audit-log.ts'
import { auditLog, auditLogKeys } from '#src/server/audit-log/audit-log-table.ts'
import { searchedWords } from '#src/server/audit-log/found-words.ts'
import { formerJournalEntries } from '#src/server/audit-log/former-journals-table.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'

type Entry = Pick<typeof auditLog.$inferSelect, 'id' | 'at' | 'userName' | 'area' | 'action' | 'entryId' | 'before' | 'after'>

/** Of entries of an earlier version, whose values are not encrypted. */
const mostPlain = 500

/**
 * Values of audit log entries about a person. The entries form a hash chain, so an erasure deletes the keys of their values and
 * not the rows. Entries of versions before the keys stay readable: the page lists them as retained.
 */
export const auditLogData: PersonalDataKind = {
  kind: 'journal',
  addresses: [auditLogKeys.addresses],
  async find(db, email) {
    return [...(await describe(db, await findKeys(db, email))), ...(await describePlain(db, email))]
  },
  async erase(tx, email, { isChosen = () => true } = {}) {
    return eraseKeys(tx, (await findKeys(tx, email)).filter(isChosen))
  },
  async findHeld(db, email) {
    return [...(await findHeld(db, await findKeys(db, email)))]
  },
  candidates: {
    ids: auditLogKeys.entry,
    async search(db, text, most) {
      const words = searchedWords(text)
      if (words.length === 0) return []
      const rows = await db
        .select({ entry: auditLogKeys.entry })
        .from(auditLogKeys)
        .where(arrayContains(auditLogKeys.words, words))
        .orderBy(desc(auditLogKeys.at))
        .limit(most)
      return rows.map(({ entry }) => entry)
    },
    describe,
    erase: eraseKeys,
  },
  keptReason: 'audit log',
  retention: {
    async purge(db, before, limit) {
      const old = db
        .select({ entry: auditLogKeys.entry })
        .from(auditLogKeys)
        .where(lt(auditLogKeys.at, before))
        .orderBy(asc(auditLogKeys.at))
        .limit(limit)
      const erased = await db
        .delete(auditLogKeys)
        .where(inArray(auditLogKeys.entry, old))
        .returning({ entry: auditLogKeys.entry })
      return erased.length
    },
  },
}

async function findKeys(db: Database, email: string) {
  const rows = await db
    .select({ entry: auditLogKeys.entry })
    .from(auditLogKeys)
    .where(arrayContains(auditLogKeys.addresses, [email]))
    .orderBy(asc(auditLogKeys.at))
  return rows.map(({ entry }) => entry)
}

async function eraseKeys(tx: Database, entries: readonly string[]) {
  const held = await findHeld(tx, entries)
  const free = entries.filter((entry) => !held.has(entry))
  if (free.length === 0) return 0
  const erased = await tx.delete(auditLogKeys).where(inArray(auditLogKeys.entry, free)).returning({ entry: auditLogKeys.entry })
  return erased.length
}

/** Those about a request under a legal hold. */
async function findHeld(db: Database, entries: readonly string[]) {
  const ids = ownIds(entries)
  if (ids.length === 0) return new Set<string>()
  const about = await db
    .select({ id: auditLog.id, entryId: auditLog.entryId })
    .from(auditLog)
    .where(and(inArray(auditLog.id, ids), eq(auditLog.area, 'requests')))
  const requestIds = [...new Set(about.map(({ entryId }) => Number(entryId)))].filter((id) => Number.isInteger(id))
  if (requestIds.length === 0) return new Set<string>()
  const rows = await db
    .select({ id: requests.id })
    .from(requests)
    .where(and(inArray(requests.id, requestIds), eq(requests.onHold, true)))
  const held = new Set(rows.map(({ id }) => String(id)))
  return new Set(about.filter(({ entryId }) => held.has(entryId ?? '')).map(({ id }) => keyEntryOf(id)))
}

const ownIds = (entries: readonly string[]) => entries.filter((entry) => !entry.includes('/')).map(Number)

async function describe(db: Database, entries: readonly string[]): Promise<Finding[]> {
  const ids = ownIds(entries)
  const own = ids.length > 0 ? await db.select().from(auditLog).where(inArray(auditLog.id, ids)) : []
  const held = await findHeld(db, entries)
  const found = (await decryptEntries(db, own))
    .filter(({ isErased }) => !isErased)
    .map((entry) => describeEntry(keyEntryOf(entry.id), entry, held))
  const former = Map.groupBy(
    entries.filter((entry) => entry.includes('/')),
    (entry) => Number(entry.split('/', 1)[0]),
  )
  for (const [journalId, keys] of former) {
    const numbers = keys.map((key) => Number(key.split('/')[1]))
    const isNamed = and(eq(formerJournalEntries.journalId, journalId), inArray(formerJournalEntries.id, numbers))
    const rows = await decryptEntries(db, await db.select().from(formerJournalEntries).where(isNamed), journalId)
    const read = rows.filter(({ isErased }) => !isErased)
    found.push(...read.map((entry) => describeEntry(keyEntryOf(entry.id, journalId), entry, held)))
  }
  return found.toSorted((one, other) => one.at.localeCompare(other.at))
}

async function describePlain(db: Database, email: string): Promise<Finding[]> {
  const names = sql`addresses_in(${auditLog.before}, ${auditLog.after}) @> array[${email}]`
  const rows = await db.select().from(auditLog).where(names).orderBy(asc(auditLog.id)).limit(mostPlain)
  return rows.map((entry) => describeEntry(String(entry.id), entry, new Set()))
}

function describeEntry(id: string, entry: Entry, held: ReadonlySet<string>): Finding {
  const { at, userName, area, action, entryId, before, after } = entry
  return {
    id,
    at: at.toISOString(),
    fields: {
      who: userName,
      area,
      action,
      entry: entryId,
      ...fieldsOf('before', before),
      ...fieldsOf('after', after),
      ...(held.has(id) && { on_hold: true }),
    },
  }
}

/** Each value by its name: `before.title`; lists and parts of values as JSON. */
function fieldsOf(state: 'before' | 'after', value: unknown): Finding['fields'] {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return { [state]: JSON.stringify(value) }
  return Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) => [`${state}.${key}`, asField(one)]))
}

const asField = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
    ? value
    : JSON.stringify(value)
