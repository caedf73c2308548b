import { randomBytes } from 'node:crypto'
import { and, eq, gte, ne } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { messagesPerConversation } from '../../values.ts'
import type { StaffNamespace, VisitorNamespace } from '../namespaces.ts'
import { chatRoom } from '../namespaces.ts'
import type { ChatRow } from '../service.ts'
import { chats } from '../table.ts'

/** A conversation that went on elsewhere; `isFirst` where this very call made the new one. */
export type Continued = { from: ChatRow; isFirst: boolean }

/** Where a full conversation goes on: it is closed and a new one opened with it, once. Null where it is not full. */
export async function continueChat(db: Database, full: ChatRow): Promise<{ chat: ChatRow; isFirst: boolean } | null> {
  const made = await db.transaction(async (tx) => {
    const now = new Date()
    const [closed] = await tx
      .update(chats)
      .set({ status: 'closed', closedAt: now, updatedAt: now })
      .where(and(eq(chats.id, full.id), ne(chats.status, 'closed'), gte(chats.lastSeq, messagesPerConversation)))
      .returning({ id: chats.id })
    if (!closed) return null
    const { clientName, clientEmail, clientBusiness, clientAddress, language, page, status, userId, claimedAt } = full
    const visitor = { clientName, clientEmail, clientBusiness, clientAddress, language, page }
    const key = randomBytes(24).toString('base64url')
    const [row] = await tx
      .insert(chats)
      .values({ ...visitor, key, status, userId, claimedAt: claimedAt && now, continuesId: full.id })
      .returning()
    return row ?? null
  })
  if (made) return { chat: made, isFirst: true }
  const chat = await findContinuation(db, full.id)
  return chat && { chat, isFirst: false }
}

export async function findContinuation(db: Database, id: number): Promise<ChatRow | null> {
  const [row] = await db.select().from(chats).where(eq(chats.continuesId, id))
  return row ?? null
}

/** Moves every connection of both sides to the new conversation, and tells the visitor's that the old one is over. */
export function moveToContinuation(
  visitors: VisitorNamespace,
  staff: StaffNamespace,
  from: ChatRow,
  to: { id: number; key: string },
) {
  visitors.in(chatRoom(from.id)).socketsJoin(chatRoom(to.id))
  staff.in(chatRoom(from.id)).socketsJoin(chatRoom(to.id))
  visitors.in(chatRoom(from.id)).emit('chat:closed', { id_chat: from.key, continued_in: to.key })
}
