import type { SQL } from 'drizzle-orm'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import { isUniqueViolation } from '#src/server/database.ts'
import { chatFiles } from './file-table.ts'
import { ChatRefusal } from './refusal.ts'
import type { MessageRow } from './service.ts'
import { fileFacts, findChat, selectMessages, takenBy } from './service.ts'
import { chatMessages, chats } from './table.ts'

type NewFile = Pick<typeof chatFiles.$inferInsert, 'name' | 'type' | 'bytes'>
type Sent = { message: string; client_message_id?: string | undefined; file?: NewFile }
type Technician = { userId: number; displayName: string; imageUrl: string | null; color: string }
type Appended = { chat: { id: number; key: string }; message: MessageRow; isNew: boolean }

/** Stores what a visitor wrote; their key is all they need. */
export function appendVisitorMessage(db: Database, key: string, sent: Sent) {
  const author = { fromStaff: false, internal: false, userId: null, userName: null, imageUrl: null, color: null }
  return append(db, eq(chats.key, key), sent, author)
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
  return append(db, eq(chats.id, id), sent, staffAuthor(author, false))
}

export function appendNote(db: Database, id: number, author: Technician, sent: Sent) {
  return append(db, eq(chats.id, id), sent, staffAuthor(author, true))
}

/** `userName` is null for the visitor, whose name the chat knows. */
type Author = Pick<MessageRow, 'fromStaff' | 'internal' | 'userId' | 'imageUrl' | 'color'> & { userName: string | null }

/** The same `client_message_id` again stores nothing and answers the stored message (contract.md 5). */
async function append(db: Database, which: SQL, sent: Sent, author: Author): Promise<Appended> {
  try {
    const stored = await (sent.file ? storeWithFile(db, which, sent, sent.file, author) : store(db, which, sent, author))
    if (stored) return { ...stored, isNew: true }
  } catch (error) {
    // The same message came twice at the same moment: the other one is stored.
    if (!isUniqueViolation(error)) throw error
  }
  const [chat] = await db.select().from(chats).where(which)
  if (!chat) throw new ChatRefusal('unknown_chat', 'This conversation does not exist.')
  const message = sent.client_message_id ? await findByClientId(db, chat.id, sent.client_message_id) : undefined
  if (!message) throw new ChatRefusal('closed', 'This conversation is closed.')
  return { chat, message, isNew: false }
}

/**
 * One statement takes the chat's next number and stores the message under it: the row of the chat is locked until it
 * commits, so that numbers have neither gaps nor doubles. Null where the chat is closed, unknown, or has the message.
 */
async function store(db: Database, which: SQL, sent: Sent, author: Author) {
  const sentAt = new Date()
  const clientMessageId = sent.client_message_id ?? null
  const { rows } = (await db.execute(sql`
    with raised as (
      update ${chats} set last_seq = last_seq + ${author.internal ? 0 : 1}::int, updated_at = ${sentAt.toISOString()}::timestamptz
      where ${which} and ${chats.status} <> 'closed' and not exists (
        select from ${chatMessages}
        where ${chatMessages.chatId} = ${chats.id} and ${chatMessages.clientMessageId} = ${clientMessageId}::text)
      returning id, key, client_name, last_seq)
    insert into ${chatMessages}
      (chat_id, seq, internal, message, from_staff, user_id, user_name, image_url, color, client_message_id, sent_at)
    select raised.id, last_seq, ${author.internal}::boolean, ${sent.message}::text, ${author.fromStaff}::boolean,
      ${author.userId}::int, coalesce(${author.userName}::text, client_name), ${author.imageUrl}::text, ${author.color}::text,
      ${clientMessageId}::text, ${sentAt.toISOString()}::timestamptz
    from raised
    returning id, chat_id, seq, user_name, (select key from raised) as key`)) as { rows: Stored[] }
  const [row] = rows
  if (!row) return null
  const message: MessageRow = {
    ...author,
    id: row.id,
    chatId: row.chat_id,
    seq: row.seq,
    userName: row.user_name,
    message: sent.message,
    clientMessageId,
    sentAt,
    file: null,
  }
  return { chat: { id: row.chat_id, key: row.key }, message }
}

type Stored = { id: number; chat_id: number; seq: number; user_name: string; key: string }

function storeWithFile(db: Database, which: SQL, sent: Sent, file: NewFile, author: Author) {
  return db.transaction(async (tx) => {
    const stored = await store(tx, which, sent, author)
    if (!stored) return null
    const { chat, message } = stored
    const [row] = await tx
      .insert(chatFiles)
      .values({ ...file, chatId: chat.id, messageId: message.id, size: file.bytes.length })
      .returning(fileFacts)
    if (!row) throw new Error('the file was not stored')
    return { chat, message: { ...message, file: row } }
  })
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
