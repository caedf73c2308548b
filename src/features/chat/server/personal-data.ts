import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { findBlocks } from './blocks.ts'
import { chatMessages, chats } from './table.ts'

const isWith = (email: string) => eq(sql`lower(${chats.clientEmail})`, email)

/** Conversations of a person with every message; one that is going on ends before it can be erased. */
export const chatData: PersonalDataKind = {
  kind: 'chats',
  async find(db, email) {
    const found = await db.select().from(chats).where(isWith(email)).orderBy(asc(chats.id))
    if (found.length === 0) return findBlockData(db, email)
    const ids = found.map((chat) => chat.id)
    const messages = await db
      .select()
      .from(chatMessages)
      .where(inArray(chatMessages.chatId, ids))
      .orderBy(asc(chatMessages.chatId), asc(chatMessages.seq), asc(chatMessages.id))
    const conversations = found.map((chat) => ({
      id: String(chat.id),
      at: chat.createdAt.toISOString(),
      fields: {
        name: chat.clientName,
        email: chat.clientEmail,
        company: chat.clientBusiness,
        language: chat.language,
        page: chat.page,
        address: chat.clientAddress,
        status: chat.status,
        rating: chat.rating,
        rating_comment: chat.ratingComment,
      },
    }))
    const lines = messages.map((message) => ({
      id: `${message.chatId}/${message.id}`,
      at: message.sentAt.toISOString(),
      fields: { author: message.userName, staff: message.fromStaff, message: message.message },
    }))
    return [...conversations, ...lines, ...(await findBlockData(db, email))]
  },
  async erase(tx, email) {
    const erased = await tx
      .delete(chats)
      .where(and(isWith(email), eq(chats.status, 'closed')))
      .returning({ id: chats.id })
    return erased.length
  },
  retention: {
    months: company.retention.chatMonths,
    async purge(db, before) {
      const erased = await db.delete(chats).where(lt(chats.updatedAt, before)).returning({ id: chats.id })
      return erased.length
    },
  },
}

/** That a person is kept away is known of them too; erasing it would let them back in. */
async function findBlockData(db: Database, email: string) {
  const blocks = (await findBlocks(db)).filter((block) => block.email === email)
  return blocks.map((block) => ({
    id: `blocks/${block.id_block}`,
    at: block.created_at,
    fields: { reason: block.reason, until: block.until, address: block.address },
  }))
}
