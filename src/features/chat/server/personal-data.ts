import { sourceText } from '#src/lib/visit-source.ts'
import type { SQL } from 'drizzle-orm'
import { asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { eraseValues } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import type { ErasureOptions, Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import { broadcastOf } from './broadcast.ts'
import { endOffer } from './ownership.ts'
import { findMatches } from './search-chats.ts'
import { chatBlocks, chatFiles, chatMessages, chats } from './table.ts'
import { unlinkChats } from '../../requests/server/service.ts'

const isWith = (email: string) => eq(sql`lower(${chats.clientEmail})`, email)

/**
 * Conversations of a person with every message, file and rating, and their blocks; one in progress ends with its erasure.
 * Messages and files go with their conversation, whoever deletes it.
 */
export const chatData: PersonalDataKind = {
  kind: 'chats',
  addresses: [chats.clientEmail, chatBlocks.email],
  async find(db, email) {
    return [...(await describe(db, isWith(email))), ...(await findBlockData(db, email))]
  },
  async erase(tx, email, { isChosen = () => true, afterCommit } = {}) {
    const own = await tx.select({ id: chats.id }).from(chats).where(isWith(email))
    const chosen = idsOf(own).filter((id) => isChosen(String(id)))
    const erased = await eraseChats(tx, chosen, afterCommit)
    const blocks = await tx.select({ id: chatBlocks.id }).from(chatBlocks).where(eq(chatBlocks.email, email))
    const lifted = blocks.filter(({ id }) => isChosen(`blocks/${id}`))
    await tx.delete(chatBlocks).where(inArray(chatBlocks.id, idsOf(lifted)))
    return erased + lifted.length
  },
  candidates: {
    ids: chats.id,
    search: async (db, text, most) =>
      (await findMatches(db, { scope: 'all', search: text, limit: most })).slice(0, most).map(String),
    describe: (db, ids) => describe(db, inArray(chats.id, ids.map(Number))),
    erase: (tx, ids, { afterCommit } = {}) => eraseChats(tx, ids.map(Number), afterCommit),
  },
  retention: {
    async purge(db, before, limit) {
      await db.delete(chatBlocks).where(lt(chatBlocks.until, before))
      return db.transaction(async (tx) => {
        const old = tx
          .select({ id: chats.id })
          .from(chats)
          .where(lt(chats.updatedAt, before))
          .orderBy(chats.updatedAt)
          .limit(limit)
        const erased = await tx.delete(chats).where(inArray(chats.id, old)).returning({ id: chats.id })
        await eraseValues(tx, 'chat', idsOf(erased))
        await unlinkChats(tx, idsOf(erased))
        return erased.length
      })
    },
  },
}

/** Those in progress end with it. */
async function eraseChats(tx: Database, ids: number[], afterCommit: ErasureOptions['afterCommit']) {
  // Locked first: no message arrives between the reading and the deletion.
  const found = await tx
    .select({ id: chats.id, key: chats.key, status: chats.status })
    .from(chats)
    .where(inArray(chats.id, ids))
    .orderBy(asc(chats.id))
    .for('update')
  for (const chat of found.filter(({ status }) => status !== 'closed')) {
    const offer = await endOffer(tx, chat.id)
    afterCommit?.((app) => broadcastOf(app).erased(chat, offer))
  }
  await tx.delete(chats).where(inArray(chats.id, idsOf(found)))
  await eraseValues(tx, 'chat', idsOf(found))
  await unlinkChats(tx, idsOf(found))
  return found.length
}

/** Conversations with their messages and files. */
async function describe(db: Database, where: SQL): Promise<Finding[]> {
  const found = await db.select().from(chats).where(where).orderBy(asc(chats.id))
  if (found.length === 0) return []
  const ids = found.map((chat) => chat.id)
  const messages = await db
    .select()
    .from(chatMessages)
    .where(inArray(chatMessages.chatId, ids))
    .orderBy(asc(chatMessages.chatId), asc(chatMessages.seq), asc(chatMessages.id))
  const files = await db
    .select({
      id: chatFiles.id,
      chatId: chatFiles.chatId,
      createdAt: chatFiles.createdAt,
      name: chatFiles.name,
      type: chatFiles.type,
      size: chatFiles.size,
    })
    .from(chatFiles)
    .where(inArray(chatFiles.chatId, ids))
    .orderBy(asc(chatFiles.id))
  const conversations = found.map((chat) => ({
    id: String(chat.id),
    at: chat.createdAt.toISOString(),
    fields: {
      name: chat.clientName,
      email: chat.clientEmail,
      company: chat.clientBusiness,
      language: chat.language,
      page: chat.page,
      source: sourceText(chat.source),
      time_zone: chat.timeZone,
      read: chat.readPages.map(({ title }) => title).join(', '),
      address_hash: chat.clientAddress,
      status: chat.status,
      tags: chat.tags.join(', '),
      rating: chat.rating,
      rating_comment: chat.ratingComment,
    },
  }))
  const sent = messages.map((message) => ({
    id: `${message.chatId}/${message.id}`,
    at: message.sentAt.toISOString(),
    fields: { author: message.userName, staff: message.fromStaff, message: message.message },
  }))
  const attached = files.map(({ id, chatId, createdAt, name, type, size }) => ({
    id: `${chatId}/files/${id}`,
    at: createdAt.toISOString(),
    fields: { name, type, size },
  }))
  return [...conversations, ...sent, ...attached]
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

/** Blocks by the person's e-mail; a block by IP address alone is not personal data of theirs. */
async function findBlockData(db: Database, email: string) {
  const blocks = await db.select().from(chatBlocks).where(eq(chatBlocks.email, email)).orderBy(asc(chatBlocks.id))
  return blocks.map(({ id, createdAt, reason, until, address }) => ({
    id: `blocks/${id}`,
    at: createdAt.toISOString(),
    fields: { reason, until: until?.toISOString() ?? null, address_hash: address },
  }))
}
