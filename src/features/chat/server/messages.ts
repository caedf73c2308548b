import { setImmediate } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, ne, gte } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import { chatFilePieces, chatFiles, filePieceBytes, chatMessages, chats } from './table.ts'
import { ChatRefusal } from './refusal.ts'
import type { MessageRow, ChatRow } from './service.ts'
import { fileFacts, findChat, findChatByKey, selectMessages, takenBy } from './service.ts'
import type { Author, Stored, ToStore } from './message-store.ts'
import { store, storeTogether } from './message-store.ts'
import { messagesPerConversation } from '../values.ts'

type NewFile = Pick<typeof chatFiles.$inferInsert, 'name' | 'type'> & { bytes: Buffer }
type Sent = { message: string; client_message_id?: string | undefined; file?: NewFile }
type Technician = { userId: number; displayName: string; imageUrl: string | null; color: string }
/** `isNew` is false where the same message was stored before. */
export type Appended = Stored & { isNew: boolean; continued?: Continued | undefined }

/** Stores a visitor's message; the key is the authorization. */
export function appendVisitorMessage(db: Database, key: string, sent: Sent) {
  const author = { fromStaff: false, internal: false, userId: null, userName: null, imageUrl: null, color: null }
  return append(db, key, sent, author)
}

/** Only the technician of the chat may write, and not after a colleague's answer that they have not seen. */
export async function appendStaffMessage(
  db: Database,
  id: number,
  author: Technician,
  sent: Sent & { after_seq?: number | undefined },
) {
  const chat = await findChat(db, id)
  if (chat.userId !== author.userId) throw await takenBy(db, chat)
  if (sent.after_seq !== undefined) await refuseAnswered(db, id, author.userId, sent.after_seq, sent.client_message_id)
  return append(db, chat.key, sent, staffAuthor(author, false))
}

export async function appendNote(db: Database, id: number, author: Technician, sent: Sent) {
  const { key } = await findChat(db, id)
  return append(db, key, sent, staffAuthor(author, true))
}

/**
 * A repeated `client_message_id` stores nothing and returns the stored message. A message to a full conversation
 * is stored in the one that continues it.
 */
async function append(db: Database, key: string, sent: Sent, author: Author): Promise<Appended> {
  const toStore = { ...author, key, message: sent.message, clientMessageId: sent.client_message_id ?? null }
  try {
    const stored = await (sent.file ? storeWithFile(db, toStore, sent.file) : storeTogether(db, toStore))
    if (stored) return { ...stored, isNew: true }
  } catch (error) {
    // The same message arrived twice at once: the other one is stored.
    if (!isUniqueViolation(error)) throw error
  }
  const chat = await findChatByKey(db, key)
  const message = sent.client_message_id ? await findByClientId(db, chat.id, sent.client_message_id) : undefined
  if (message) return { chat, message, isNew: false }
  const next = await continueChat(db, chat)
  if (!next) throw new ChatRefusal('closed', 'This conversation is closed.')
  if (author.fromStaff && !author.internal && next.chat.userId !== author.userId) throw await takenBy(db, next.chat)
  const continued = { from: chat, isFirst: next.isFirst }
  return { continued, ...(await append(db, next.chat.key, sent, author)) }
}

function storeWithFile(db: Database, toStore: ToStore, file: NewFile) {
  return db.transaction(async (tx) => {
    const [stored] = await store(tx, [toStore])
    if (!stored) return null
    const { chat, message } = stored
    const [row] = await tx
      .insert(chatFiles)
      .values({ name: file.name, type: file.type, chatId: chat.id, messageId: message.id, size: file.bytes.length })
      .returning(fileFacts)
    if (!row) throw new Error('the file was not stored')
    await storePieces(tx, row.id_file, file.bytes)
    return { chat, message: { ...message, file: row } }
  })
}

/** Yields between pieces: the embedded database blocks the event loop. */
async function storePieces(db: Database, fileId: number, bytes: Buffer) {
  for (let position = 0; position * filePieceBytes < bytes.length; position += 1) {
    await setImmediate()
    const piece = bytes.subarray(position * filePieceBytes, (position + 1) * filePieceBytes)
    await db.insert(chatFilePieces).values({ fileId, position, bytes: piece })
  }
}

async function refuseAnswered(db: Database, id: number, userId: number, afterSeq: number, clientMessageId: string | undefined) {
  if (clientMessageId && (await findByClientId(db, id, clientMessageId))) return
  const [answer] = await db
    .select({ userName: chatMessages.userName })
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.chatId, id),
        eq(chatMessages.fromStaff, true),
        eq(chatMessages.internal, false),
        gt(chatMessages.seq, afterSeq),
        ne(chatMessages.userId, userId),
      ),
    )
    .orderBy(desc(chatMessages.seq))
    .limit(1)
  if (answer) throw new ChatRefusal('answered', `${answer.userName} answered in the meantime.`, answer.userName)
}

async function findByClientId(db: Database, chatId: number, clientMessageId: string): Promise<MessageRow | undefined> {
  const [row] = await selectMessages(db).where(
    and(eq(chatMessages.chatId, chatId), eq(chatMessages.clientMessageId, clientMessageId)),
  )
  return row && { ...row.message, file: row.file }
}

function staffAuthor({ userId, displayName, imageUrl, color }: Technician, internal: boolean): Author {
  return { fromStaff: true, internal, userId, userName: displayName, imageUrl, color }
}

/** The full conversation that was continued; `isFirst` where this call created the new one. */
type Continued = { from: ChatRow; isFirst: boolean }

/** Closes a full conversation and creates the one that continues it, once. Null where it is not full. */
async function continueChat(db: Database, full: ChatRow): Promise<{ chat: ChatRow; isFirst: boolean } | null> {
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
