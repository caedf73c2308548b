import { desc, eq, or } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { RequestBlock, RequestDetail } from '../contract.ts'
import { addEvent } from './entries.ts'
import { findRequest } from './lookup.ts'
import { exists } from './service.ts'
import { requestBlocks, requests } from './table.ts'

type Context = Pick<App, 'db' | 'mailer' | 'config'>

const area = 'requests'

/** Takes a request out of the lists and blocks mail of its sender, or undoes both. */
export async function markSpam(context: Context, author: Author, id: number, isSpam: boolean): Promise<RequestDetail> {
  await context.db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(exists(id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    if ((row.spamAt !== null) === isSpam) return
    const email = row.email.toLowerCase()
    await tx
      .update(requests)
      .set({ spamAt: isSpam ? new Date() : null, version: row.version + 1, updatedAt: new Date() })
      .where(eq(requests.id, id))
    if (isSpam) await tx.insert(requestBlocks).values({ email, requestId: id }).onConflictDoNothing()
    else await tx.delete(requestBlocks).where(or(eq(requestBlocks.email, email), eq(requestBlocks.requestId, id)))
    await addEvent(tx, id, author, { spam: isSpam })
    await recordChange(tx, author, {
      area,
      action: isSpam ? 'block sender' : 'unblock sender',
      entryId: id,
      after: { reference: row.reference },
    })
  })
  return findRequest(context, id)
}

/** Senders whose mail makes no request, the latest first. */
export async function findBlocks(db: Database): Promise<RequestBlock[]> {
  const rows = await db
    .select({ block: requestBlocks, reference: requests.reference })
    .from(requestBlocks)
    .leftJoin(requests, eq(requests.id, requestBlocks.requestId))
    .orderBy(desc(requestBlocks.createdAt), requestBlocks.email)
    .limit(500)
  return rows.map(({ block, reference }) => ({
    email: block.email,
    id_request: block.requestId,
    reference,
    created_at: block.createdAt.toISOString(),
  }))
}

/** Blocks an address, or lets its mail in again. The audit log names no address: the number is that of the block's request. */
export async function setBlock(db: Database, author: Author, address: string, isBlocked: boolean): Promise<RequestBlock[]> {
  const email = address.toLowerCase()
  await db.transaction(async (tx) => {
    const [changed] = isBlocked
      ? await tx.insert(requestBlocks).values({ email }).onConflictDoNothing().returning()
      : await tx.delete(requestBlocks).where(eq(requestBlocks.email, email)).returning()
    if (!changed) {
      if (isBlocked) return
      throw new NotFound('This address is not blocked.')
    }
    const action = isBlocked ? 'block sender' : 'unblock sender'
    await recordChange(tx, author, { area, action, entryId: changed.requestId ?? 'blocks' })
  })
  return findBlocks(db)
}
