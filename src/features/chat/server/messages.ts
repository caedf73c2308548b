import { setImmediate } from 'node:timers/promises'
import { and, desc, eq, gt, ne, gte, sql } from 'drizzle-orm'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import { createGroupCommit } from '#src/server/database/group-commit.ts'
import { chatFilePieces, chatFiles, filePieceBytes, chatMessages, chats } from './table.ts'
import { storeFigures } from './figures.ts'
import { ChatRefusal } from './refusal.ts'
import type { MessageRow, ChatRow } from './service.ts'
import { fileFacts, findChat, findChatByKey, selectMessages, takenBy } from './service.ts'
import { newKey } from './starts.ts'
import { messagesPerConversation } from '../values.ts'

type NewFile = Pick<typeof chatFiles.$inferInsert, 'name' | 'type'> & { bytes: Buffer }
type Sent = { message: string; client_message_id?: string | undefined; file?: NewFile }
export type Technician = { userId: number; displayName: string; imageUrl: string | null; color: string }
/** `isNew` is false where the same message was stored before. */
export type Appended = Stored & { isNew: boolean; continued?: Continued | undefined }

/** Stores a visitor's message; the key is the authorization. */
export function appendVisitorMessage(db: Database, key: string, sent: Sent) {
  const author = { fromStaff: false, internal: false, userId: null, userName: null, imageUrl: null, color: null }
  return append(db, key, sent, author)
}

/** Only the technician of the chat may write, and not where a colleague answered since. */
export async function appendStaffMessage(
  db: Database,
  id: number,
  author: Technician,
  sent: Sent & { after_seq?: number | undefined },
) {
  const chat = await requireTechnician(db, id, author.userId)
  if (sent.after_seq !== undefined) await refuseAnswered(db, id, author.userId, sent.after_seq, sent.client_message_id)
  return append(db, chat.key, sent, staffAuthor(author, false))
}

/** The chat, where this technician answers it; throws otherwise. */
export async function requireTechnician(db: Database, id: number, userId: number) {
  const chat = await findChat(db, id)
  if (chat.userId !== userId) throw await takenBy(db, chat)
  return chat
}

export async function appendNote(db: Database, id: number, author: Technician, sent: Sent) {
  const { key } = await findChat(db, id)
  return append(db, key, sent, staffAuthor(author, true))
}

/** Stores what a technician, or the visitor (null), wrote in the request of a chat. */
export function appendFromRequest(
  db: Database,
  key: string,
  author: { userId: number | null; displayName: string; imageUrl: string | null; color: string | null } | null,
  sent: Sent,
) {
  const { userId = null, displayName = null, imageUrl = null, color = null } = author ?? {}
  return append(db, key, sent, { fromStaff: author !== null, internal: false, userId, userName: displayName, imageUrl, color })
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
  if (answer) throw new ChatRefusal('answered', `${isolateDirection(answer.userName)} answered in the meantime.`, answer.userName)
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
    await storeFigures(tx, [closed.id])
    const { clientName, clientEmail, clientBusiness, clientAddress, language, page, source, timeZone, readPages } = full
    const { status, userId, claimedAt } = full
    const visitor = { clientName, clientEmail, clientBusiness, clientAddress, language, page, source, timeZone, readPages }
    const [row] = await tx
      .insert(chats)
      .values({ ...visitor, key: newKey(), status, userId, claimedAt: claimedAt && now, continuesId: full.id })
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

/** `userName` is null for the visitor, whose name is in the chat. */
export type Author = Pick<MessageRow, 'fromStaff' | 'internal' | 'userId' | 'imageUrl' | 'color'> & { userName: string | null }
export type ToStore = Author & { key: string; message: string; clientMessageId: string | null }
export type Stored = { chat: { id: number; key: string }; message: MessageRow }

type Row = { place: number; id: number; chat_id: number; seq: number; user_name: string }

/**
 * One statement takes the next numbers of the chats and stores the messages under them, in their order: the rows of the
 * chats are locked until it commits, so that numbers have neither gaps nor doubles. Null where the chat is closed,
 * full, unknown, or has the message. The same `clientMessageId` may not be twice among them.
 */
export async function store(db: Database, all: ToStore[]): Promise<(Stored | null)[]> {
  const sentAt = new Date()
  const sent = JSON.stringify(all.map((one, place) => ({ place, ...one })))
  const keys = [...new Set(all.map((one) => one.key))]
  const { rows } = (await db.execute(sql`
    with sent as (
      select * from jsonb_to_recordset(${sent}::jsonb) as sent (place int, key text, message text, internal boolean,
        "fromStaff" boolean, "userId" int, "userName" text, "imageUrl" text, color text, "clientMessageId" text)
    ), locked as (
      select id as chat_id, key, client_name, last_seq from ${chats}
      where key = any(${sql.param(keys)}::text[]) and ${ne(chats.status, 'closed')} order by id for update
    ), numbered as (
      select sent.*, chat_id, coalesce("userName", client_name) as user_name,
        nextval('chat_messages_id_seq')::int as id,
        last_seq + (count(*) filter (where not internal) over (partition by chat_id order by place))::int as seq
      from sent join locked using (key)
      -- Row by row, by the index: as a join, PostgreSQL may read the whole table for it.
      where (
        select true from ${chatMessages}
        where ${chatMessages.chatId} = locked.chat_id and ${chatMessages.clientMessageId} = "clientMessageId" limit 1) is null
    ), fresh as (
      select * from numbered where internal or seq <= ${messagesPerConversation}
    ), raised as (
      update ${chats} set last_seq = newest, updated_at = ${sentAt.toISOString()}::timestamptz
      from (select chat_id, max(seq) as newest from fresh group by chat_id) as numbered
      where ${chats.id} = numbered.chat_id
    ), inserted as (
      insert into ${chatMessages}
        (id, chat_id, seq, internal, message, from_staff, user_id, user_name, image_url, color, client_message_id, sent_at)
      select id, chat_id, seq, internal, message, "fromStaff", "userId", user_name, "imageUrl", color, "clientMessageId",
        ${sentAt.toISOString()}::timestamptz
      from fresh
    )
    select place, id, chat_id, seq, user_name from fresh`)) as { rows: Row[] }
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return all.map((one, place) => {
    const row = byPlace.get(place)
    return row ? { chat: { id: row.chat_id, key: one.key }, message: toMessage(one, row, sentAt) } : null
  })
}

function toMessage(sent: ToStore, row: Row, sentAt: Date): MessageRow {
  const { message, clientMessageId, fromStaff, internal, userId, imageUrl, color } = sent
  const { id, chat_id: chatId, seq, user_name: userName } = row
  return { id, chatId, seq, internal, message, fromStaff, userId, userName, imageUrl, color, clientMessageId, sentAt, file: null }
}

/**
 * Messages that arrive during a commit are stored together in the next one: one disk flush for all of them. Each is
 * acknowledged after its commit, and those of one chat keep their order; a repeated message waits for the first one.
 */
export const storeTogether = createGroupCommit<ToStore, Stored | null>({
  most: 500,
  store,
  nameOf: ({ key, clientMessageId }) => (clientMessageId ? `${key} ${clientMessageId}` : null),
})
