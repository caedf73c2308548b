import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, hashOf, lockChain } from './chain.ts'
import { journal } from './audit-log-table.ts'

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

/** Adds a line to the journal inside the transaction of the change it tells about. */
export async function recordChange(tx: Database, author: Author, change: Change) {
  await lockChain(tx)
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
  await tx.insert(journal).values({ ...row, hash: hashOf(keyFor(tx, 'journal'), last?.hash ?? chainStart, row) })
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

/** The value as the database will hold it: JSON has no dates and no undefined. */
function asStored(value: unknown): unknown {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as unknown)
}
