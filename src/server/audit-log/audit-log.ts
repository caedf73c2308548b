import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, hashOf, lockChain } from './chain.ts'
import { auditLog } from './audit-log-table.ts'

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
}

/** Adds an entry to the audit log, in the transaction of the change it records. */
export async function recordChange(tx: Database, author: Author, change: Change) {
  await lockChain(tx)
  const [last] = await tx.select({ hash: auditLog.hash }).from(auditLog).orderBy(desc(auditLog.id)).limit(1)
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
  await tx.insert(auditLog).values({ ...row, hash: hashOf(keyFor(tx, 'auditLog'), last?.hash ?? chainStart, row) })
}

export async function findLastChange(db: Database, area: string, entryId: number | string) {
  const [entry] = await db
    .select({ at: auditLog.at, name: auditLog.userName })
    .from(auditLog)
    .where(and(eq(auditLog.area, area), eq(auditLog.entryId, String(entryId))))
    .orderBy(desc(auditLog.id))
    .limit(1)
  return entry ?? null
}

/** The value as the database stores it: JSON has no dates and no undefined. */
function asStored(value: unknown): unknown {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as unknown)
}
