import { createHash } from 'node:crypto'
import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { journal } from './journal-table.ts'

/** Who acts, and from where; `userId` is null for the product itself and for the person on the server. */
export type Author = { userId: number | null; name: string; address: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guards of rights, which run before the handler. */
    author: Author
  }
}

export type Change = {
  area: string
  action: 'create' | 'update' | 'delete' | 'restore' | (string & {})
  entryId?: number | string
  before?: unknown
  after?: unknown
}

type Row = typeof journal.$inferSelect

const chainStart = '0'.repeat(64)
const chainLock = 7_148_304

/** Adds a line to the journal inside the transaction of the change it tells about. */
export async function recordChange(tx: Database, author: Author, change: Change) {
  // One writer at a time: each line's hash holds the one before it.
  await tx.execute(sql`select pg_advisory_xact_lock(${chainLock})`)
  const [last] = await tx.select({ hash: journal.hash }).from(journal).orderBy(desc(journal.id)).limit(1)
  const row = {
    at: new Date(),
    userId: author.userId,
    userName: author.name,
    address: author.address,
    area: change.area,
    action: change.action,
    entryId: change.entryId === undefined ? null : String(change.entryId),
    before: asStored(change.before),
    after: asStored(change.after),
  }
  await tx.insert(journal).values({ ...row, hash: hashOf(last?.hash ?? chainStart, row) })
}

export async function findLastChange(db: Database, area: string, entryId: number | string) {
  const [line] = await db
    .select({ at: journal.at, name: journal.userName })
    .from(journal)
    .where(and(eq(journal.area, area), eq(journal.entryId, String(entryId))))
    .orderBy(desc(journal.id))
    .limit(1)
  return line ?? null
}

/**
 * Reads the whole chain: how many lines are as they were written, the id of the first that is not, and the
 * last good hash. A journal cut at its end is still a whole chain: who wants to see that keeps the last hash.
 */
export async function verifyJournal(db: Database): Promise<{ lines: number; brokenAt: number | null; lastHash: string }> {
  let previous = chainStart
  let lines = 0
  for (let lastId = 0; ;) {
    const page = await db.select().from(journal).where(gt(journal.id, lastId)).orderBy(asc(journal.id)).limit(1_000)
    if (page.length === 0) return { lines, brokenAt: null, lastHash: previous }
    for (const row of page) {
      if (hashOf(previous, row) !== row.hash) return { lines, brokenAt: row.id, lastHash: previous }
      previous = row.hash
      lastId = row.id
      lines += 1
    }
  }
}

function hashOf(previous: string, row: Omit<Row, 'id' | 'hash'>) {
  const { at, userId, userName, address, area, action, entryId, before, after } = row
  const content = canonical([previous, at.toISOString(), userId, userName, address, area, action, entryId, before, after])
  return createHash('sha256').update(content).digest('hex')
}

/** The value as the database will hold it: JSON has no dates and no undefined. */
function asStored(value: unknown): unknown {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as unknown)
}

/** A text that does not depend on the order of keys, which the database does not keep. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}
