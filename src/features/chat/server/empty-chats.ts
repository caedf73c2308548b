import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { unlinkChats } from '../../requests/server/service.ts'
import { eraseValues } from '#src/server/audit-log/audit-log.ts'
import type { App } from '#src/server/types.ts'
import { broadcastOf } from './broadcast.ts'
import { chats } from './table.ts'

const dayMs = 86_400_000
/** A product that stood still for longer finds the rest with the nightly purge, which reads all conversations. */
const recentMs = 4 * dayMs

/** Erases, within minutes of their time, conversations in which the visitor wrote nothing. */
export function watchEmptyChats(app: App) {
  app.queue.schedule('chats-empty', '*/10 * * * *', async () => {
    const before = new Date(Date.now() - dayMs)
    await eraseEmptyChats(app, before, 200, new Date(before.getTime() - recentMs))
  })
}

/** Erases those whose visitor left before a moment; `since` limits what is read. */
export async function eraseEmptyChats(app: App, before: Date, limit: number, since = new Date(0)) {
  const wroteNothing = sql`not exists (select 1 from chat_messages as message
    where message.chat_id = ${chats.id} and not message.from_staff)`
  const hasLeft = sql`coalesce(${chats.goneAt}, ${chats.closedAt}) <= ${before.toISOString()}::timestamptz`
  const erased = await app.db.transaction(async (tx) => {
    const found = await tx
      .select({ id: chats.id, key: chats.key })
      .from(chats)
      // The rest of a conversation that was full is no empty one.
      .where(and(eq(chats.status, 'closed'), isNull(chats.continuesId), gt(chats.updatedAt, since), hasLeft, wroteNothing))
      .orderBy(chats.id)
      .limit(limit)
      .for('update')
    const ids = found.map(({ id }) => id)
    await tx.delete(chats).where(inArray(chats.id, ids))
    await eraseValues(tx, 'chat', ids)
    await unlinkChats(tx, ids)
    return found
  })
  for (const chat of erased) broadcastOf(app).erased(chat, null)
  return erased.length
}
