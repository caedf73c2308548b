import { createHash, createHmac, hash as hashAtOnce } from 'node:crypto'
import { asc, gt, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { auditLog, auditLogSeals } from './audit-log-table.ts'

type Row = typeof auditLog.$inferSelect
type Seal = typeof auditLogSeals.$inferSelect

export const chainStart = '0'.repeat(64)

const chainLock = 7_148_304
/** Entries read and hashed at once: 1,000 hold up everything else for 40 ms. */
const page = 250

/** Locks the chain until the transaction ends: each entry and each seal contains the hash of the previous entry. */
export async function lockChain(tx: Database) {
  await tx.execute(sql`select pg_advisory_xact_lock(${chainLock})`)
}

/** What the hashes of an entry contain besides the hash before it. Two of them can need it, and it takes longer than they do. */
export function contentOf({ at, userId, userName, address, area, action, entryId, before, after }: Omit<Row, 'id' | 'hash'>) {
  return canonical([at.toISOString(), userId, userName, address, area, action, entryId, before, after])
}

/** The hash of an entry by its content; without a key, the plain hash of versions before the seals. */
export function hashOf(key: Buffer | null, previous: string, content: string) {
  // The JSON of one array, which begins with the previous hash.
  const whole = `[${JSON.stringify(previous)},${content.slice(1)}`
  return key ? createHmac('sha256', key).update(whole).digest('hex') : hashAtOnce('sha256', whole)
}

export function sealOf(key: Buffer, { fromId, keyId, lines, lastHash, digest }: Omit<Seal, 'id' | 'seal' | 'madeAt'>) {
  return createHmac('sha256', key)
    .update(canonical(['seal', fromId, keyId, lines, lastHash, digest]))
    .digest('hex')
}

/** Every entry after this one, oldest first, in pages: memory does not grow with the log. */
export async function* readEntries(db: Database, after = 0): AsyncGenerator<Row> {
  for (let lastId = after; ;) {
    const rows = await db.select().from(auditLog).where(gt(auditLog.id, lastId)).orderBy(asc(auditLog.id)).limit(page)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    lastId = last.id
  }
}

/** One SHA-256 over entries and their hashes, added one by one. */
export function createDigest() {
  const digest = createHash('sha256')
  return {
    add: ({ id, hash }: Pick<Row, 'id' | 'hash'>, content: string) =>
      digest.update(`${id} ${hash} ${hashOf(null, hash, content)}\n`),
    value: () => digest.digest('hex'),
  }
}

/** Every seal from the oldest on: the first one, and one for each change of the secret. */
export function findSeals(db: Database): Promise<Seal[]> {
  return db.select().from(auditLogSeals).orderBy(asc(auditLogSeals.id))
}

/** JSON with sorted keys: the database does not preserve their order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const object = value as Record<string, unknown>
  let text = ''
  for (const key of Object.keys(object).toSorted()) {
    if (object[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonical(object[key])}`
  }
  return `{${text}}`
}
