import { randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { logger } from '../log.ts'
import { decryptWith, encryptWith, Undecipherable } from '../secrets/encryption.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, contentOf, hashOf, lockChain } from './chain.ts'
import { auditLog, auditLogKeys } from './audit-log-table.ts'
import { addressesIn, wordsIn } from './found-words.ts'

/** The actor of a change and their address; `userId` is null for the product itself and for commands run on the server. */
export type Author = { userId: number | null; name: string; address: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guards, before the handler. */
    author: Author
  }
}

export type Change = {
  area: string
  action: 'create' | 'update' | 'delete' | 'restore' | (string & {})
  entryId?: number | string
  before?: unknown
  after?: unknown
  /** E-mail addresses of the person concerned, to find the entry where its values do not contain them. */
  about?: readonly string[]
}

type Values = Record<string, unknown>
type States = { before: unknown; after: unknown }
type Row = typeof auditLog.$inferSelect

/**
 * Adds an entry to the audit log, in the transaction of the change it records. Its values are encrypted with a key of this entry
 * alone: deleting the key erases the values and leaves the hash chain valid.
 */
export async function recordChange(tx: Database, author: Author, change: Change) {
  await lockChain(tx)
  const [last] = await tx.select({ hash: auditLog.hash }).from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  const states = { before: asStored(change.before), after: asStored(change.after) }
  const key = states.before === null && states.after === null ? null : randomBytes(32)
  const row = {
    at: new Date(),
    userId: author.userId,
    userName: author.name,
    address: author.address,
    area: change.area,
    action: change.action,
    entryId: change.entryId === undefined ? null : String(change.entryId),
    before: null,
    after: key && { [sealedField]: encryptWith(key, placeOf(change.area), JSON.stringify(states)) },
  }
  const hash = hashOf(keyFor(tx, 'auditLog'), last?.hash ?? chainStart, contentOf(row))
  const [added] = await tx
    .insert(auditLog)
    .values({ ...row, hash })
    .returning({ id: auditLog.id })
  if (!key || !added) return
  await tx.insert(auditLogKeys).values({
    entry: keyEntryOf(added.id),
    key: key.toString('base64'),
    at: row.at,
    addresses: addressesIn([states, ...(change.about ?? [])]),
    words: wordsIn(states),
  })
}

const sealedField = 'sealed'
/** Of corrections of an earlier version: beside values that were not encrypted. */
const formerField = 'encrypted'

const placeOf = (area: string) => ({ column: 'journal.after', row: area }) as const

type Sealed = Pick<Row, 'id' | 'area' | 'before' | 'after'>

/** The key of an entry is found by its id, and that of a former journal by both. */
export const keyEntryOf = (id: number, formerId?: number) => (formerId === undefined ? String(id) : `${formerId}/${id}`)

/** Reads the values of entries; `isErased`: the key of an entry is gone, and nobody can read them. */
export async function decryptEntries<Entry extends Sealed>(
  db: Database,
  rows: readonly Entry[],
  formerId?: number,
): Promise<(Entry & { isErased: boolean })[]> {
  const encrypted = rows.flatMap(({ id, after }) => (sealedIn(after) === null ? [] : keyEntryOf(id, formerId)))
  const keys = encrypted.length === 0 ? [] : await db.select().from(auditLogKeys).where(inArray(auditLogKeys.entry, encrypted))
  const keyOf = new Map(keys.map(({ entry, key }) => [entry, Buffer.from(key, 'base64')]))
  return rows.map((row) => {
    const stored = sealedIn(row.after)
    if (stored === null) return { ...row, isErased: false }
    const { [sealedField]: _sealed, [formerField]: _former, ...plain } = row.after as Values
    const isMixed = formerField in (row.after as Values)
    const key = keyOf.get(keyEntryOf(row.id, formerId))
    const states = key ? unseal(key, row, stored) : null
    if (!states) return { ...row, after: isMixed ? plain : null, isErased: true }
    if (!isMixed) return { ...row, ...states, isErased: false }
    const before = { ...(row.before as Values | null), ...(states.before as Values) }
    return { ...row, before, after: { ...plain, ...(states.after as Values) }, isErased: false }
  })
}

/** Null where the entry was changed, which the verification of the chain names, or where the key is another's. */
function unseal(key: Buffer, { id, area }: Sealed, stored: string) {
  try {
    return JSON.parse(decryptWith(key, placeOf(area), stored)) as States
  } catch (error) {
    if (!(error instanceof Undecipherable)) throw error
    logger.error({ line: id }, 'the values of this entry of the audit log cannot be read with its key')
    return null
  }
}

function sealedIn(after: unknown) {
  if (after === null || typeof after !== 'object') return null
  const { [sealedField]: sealed, [formerField]: former } = after as Values
  const value = sealed ?? former
  return typeof value === 'string' ? value : null
}

/** Deletes the keys of the entries about these rows: their values are erased, and the hash chain stays valid. */
export async function eraseValues(tx: Database, area: string, entryIds: readonly (number | string)[]) {
  if (entryIds.length === 0) return
  const entries = await tx
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.area, area), inArray(auditLog.entryId, entryIds.map(String))))
  if (entries.length === 0) return
  await tx.delete(auditLogKeys).where(
    inArray(
      auditLogKeys.entry,
      entries.map(({ id }) => keyEntryOf(id)),
    ),
  )
}

/** The last save; one that was refused changed nothing. */
export async function findLastChange(db: Database, area: string, entryId: number | string) {
  const [entry] = await db
    .select({ at: auditLog.at, name: auditLog.userName })
    .from(auditLog)
    .where(and(eq(auditLog.area, area), eq(auditLog.entryId, String(entryId)), ne(auditLog.action, 'refused')))
    .orderBy(desc(auditLog.id))
    .limit(1)
  return entry ?? null
}

/** The last event of an entry, with its values. */
export async function findLastEntry(db: Database, area: string, entryId: number | string) {
  const rows = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.area, area), eq(auditLog.entryId, String(entryId))))
    .orderBy(desc(auditLog.id))
    .limit(1)
  const [last] = await decryptEntries(db, rows)
  return last ?? null
}

/** The last event of an entry where it is its deletion by this user, since that moment. */
export async function findOwnDeletion(db: Database, area: string, entryId: number | string, { userId }: Author, since: Date) {
  const last = await findLastEntry(db, area, entryId)
  return last?.action === 'delete' && last.userId === userId && last.at >= since ? last.before : null
}

/** The value as the database stores it: JSON has no dates and no undefined. */
function asStored(value: unknown): unknown {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as unknown)
}
