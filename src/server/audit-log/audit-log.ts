import { randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { decryptWith, encryptWith } from '../secrets/encryption.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, contentOf, hashOf, lockChain } from './chain.ts'
import { auditLog, auditLogKeys } from './audit-log-table.ts'

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
  /** Values about a person, which end with them: encrypted by a key of this entry alone, and found by these addresses. */
  personal?: { before: Values; after: Values; addresses: readonly string[] }
}

type Values = Record<string, unknown>
type Row = typeof auditLog.$inferSelect

/** Adds an entry to the audit log, in the transaction of the change it records. */
export async function recordChange(tx: Database, author: Author, change: Change) {
  await lockChain(tx)
  const [last] = await tx.select({ hash: auditLog.hash }).from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  const { personal } = change
  const key = personal && randomBytes(32)
  const row = {
    at: new Date(),
    userId: author.userId,
    userName: author.name,
    address: author.address,
    area: change.area,
    action: change.action,
    entryId: change.entryId === undefined ? null : String(change.entryId),
    before: asStored(change.before),
    after: asStored(key ? { ...(change.after as Values), [encryptedField]: seal(key, change.area, personal) } : change.after),
  }
  const hash = hashOf(keyFor(tx, 'auditLog'), last?.hash ?? chainStart, contentOf(row))
  const [added] = await tx
    .insert(auditLog)
    .values({ ...row, hash })
    .returning({ id: auditLog.id })
  if (!key || !added) return
  const addresses = [...new Set(personal.addresses.map((one) => one.toLowerCase()))]
  await tx.insert(auditLogKeys).values({ auditId: added.id, key: key.toString('base64'), addresses })
}

const encryptedField = 'encrypted'

const placeOf = (area: string) => ({ column: 'journal.after', row: area }) as const

const seal = (key: Buffer, area: string, { before, after }: Pick<NonNullable<Change['personal']>, 'before' | 'after'>) =>
  encryptWith(key, placeOf(area), JSON.stringify({ before, after }))

/** Puts the values about a person back into their entries; `isErased`: their key is gone, and nobody can read them. */
export async function readPersonal(db: Database, rows: readonly Row[]): Promise<(Row & { isErased: boolean })[]> {
  const encrypted = rows.flatMap(({ id, after }) => (encryptedIn(after) === null ? [] : id))
  const keys = encrypted.length === 0 ? [] : await db.select().from(auditLogKeys).where(inArray(auditLogKeys.auditId, encrypted))
  const keyOf = new Map(keys.map(({ auditId, key }) => [auditId, Buffer.from(key, 'base64')]))
  return rows.map((row) => {
    const stored = encryptedIn(row.after)
    if (stored === null) return { ...row, isErased: false }
    const { [encryptedField]: _, ...after } = row.after as Values
    const key = keyOf.get(row.id)
    if (!key) return { ...row, after, isErased: true }
    const personal = JSON.parse(decryptWith(key, placeOf(row.area), stored)) as { before: Values; after: Values }
    const before = { ...(row.before as Values | null), ...personal.before }
    return { ...row, before, after: { ...after, ...personal.after }, isErased: false }
  })
}

function encryptedIn(after: unknown) {
  const value = after !== null && typeof after === 'object' ? (after as Values)[encryptedField] : null
  return typeof value === 'string' ? value : null
}

/** Destroys the keys of the entries about these rows: what they say about a person is erased, and the chain stays whole. */
export async function erasePersonal(tx: Database, area: string, entryIds: readonly number[]) {
  if (entryIds.length === 0) return
  const entries = tx
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.area, area), inArray(auditLog.entryId, entryIds.map(String))))
  await tx.delete(auditLogKeys).where(inArray(auditLogKeys.auditId, entries))
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

/** The last event of an entry where it is its deletion by this user, since that moment. */
export async function findOwnDeletion(db: Database, area: string, entryId: number | string, { userId }: Author, since: Date) {
  const [last] = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.area, area), eq(auditLog.entryId, String(entryId))))
    .orderBy(desc(auditLog.id))
    .limit(1)
  return last?.action === 'delete' && last.userId === userId && last.at >= since ? last.before : null
}

/** The value as the database stores it: JSON has no dates and no undefined. */
function asStored(value: unknown): unknown {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as unknown)
}
