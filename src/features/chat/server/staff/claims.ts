import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { ChatRefusal } from '../refusal.ts'
import { findChat, takenBy } from '../service.ts'
import { chats } from '../table.ts'

/**
 * Exactly one of those who claim a waiting chat gets it; claiming one's own again is no refusal. A chat whose
 * technician `isThere` denies can be taken over in the same way.
 */
export async function claimChat(db: Database, id: number, userId: number, isThere: (userId: number) => boolean = () => true) {
  const chat = await findChat(db, id)
  if (chat.status === 'claimed' && chat.userId === userId) return chat
  if (chat.status === 'closed') throw new ChatRefusal('closed', 'This conversation is closed.')
  const isLeft = chat.status === 'claimed' && (chat.userId === null || !isThere(chat.userId))
  const isFree = isLeft
    ? and(eq(chats.status, 'claimed'), chat.userId === null ? isNull(chats.userId) : eq(chats.userId, chat.userId))
    : eq(chats.status, 'waiting')
  const [won] = await db
    .update(chats)
    .set({ status: 'claimed', userId, claimedAt: chat.claimedAt ?? new Date(), updatedAt: new Date() })
    .where(and(eq(chats.id, id), isFree))
    .returning()
  const now = won ?? (await findChat(db, id))
  if (now.userId !== userId) throw await takenBy(db, now)
  return now
}

export async function transferChat(db: Database, id: number, from: { userId: number; isAdministrator: boolean }, to: number) {
  const isMine = from.isAdministrator ? undefined : eq(chats.userId, from.userId)
  const [row] = await db
    .update(chats)
    .set({ userId: to, status: 'claimed', updatedAt: new Date() })
    .where(and(eq(chats.id, id), ne(chats.status, 'closed'), isMine))
    .returning()
  if (row) return row
  const chat = await findChat(db, id)
  if (chat.status === 'closed') throw new ChatRefusal('closed', 'This conversation is closed.')
  throw await takenBy(db, chat)
}
