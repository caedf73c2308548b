import { setImmediate } from 'node:timers/promises'
import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import { chatFilePieces, chatFiles, filePieceBytes } from '../file-table.ts'
import { ChatRefusal } from '../refusal.ts'
import type { MessageRow } from '../service.ts'
import { fileFacts, findChat, findChatByKey, selectMessages, takenBy } from '../service.ts'
import type { Continued } from './continuation.ts'
import { continueChat } from './continuation.ts'
import type { Author, Stored, ToStore } from './store.ts'
import { store } from './store.ts'
import { storeTogether } from './store-together.ts'
import { chatMessages } from '../table.ts'

type NewFile = Pick<typeof chatFiles.$inferInsert, 'name' | 'type'> & { bytes: Buffer }
type Sent = { message: string; client_message_id?: string | undefined; file?: NewFile }
type Technician = { userId: number; displayName: string; imageUrl: string | null; color: string }
type Appended = Stored & { isNew: boolean; continued?: Continued | undefined }

/** Stores what a visitor wrote; their key is all they need. */
export function appendVisitorMessage(db: Database, key: string, sent: Sent) {
  const author = { fromStaff: false, internal: false, userId: null, userName: null, imageUrl: null, color: null }
  return append(db, key, sent, author)
}

/** Only who claimed the chat writes to its visitor, and not past a colleague's answer they have not seen. */
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
 * The same `client_message_id` again stores nothing and answers the stored message. What comes to a full conversation
 * is stored in the one that goes on from it.
 */
async function append(db: Database, key: string, sent: Sent, author: Author): Promise<Appended> {
  const toStore = { ...author, key, message: sent.message, clientMessageId: sent.client_message_id ?? null }
  try {
    const stored = await (sent.file ? storeWithFile(db, toStore, sent.file) : storeTogether(db, toStore))
    if (stored) return { ...stored, isNew: true }
  } catch (error) {
    // The same message came twice at the same moment: the other one is stored.
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

/** Lets other work run between two pieces: the embedded database answers without giving the event loop its turn. */
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
