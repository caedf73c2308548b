import { and, asc, desc, eq, gt, gte, isNull, lt, ne, or, sql, inArray } from 'drizzle-orm'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/server/table.ts'
import type { AttachedFile, ChatMessage, StaffMessage } from '../protocol.ts'
import { messagesPerPage } from '../values.ts'
import { chatEvents, chatFiles, chatMessages, chats } from './table.ts'
import { storeFigures } from './figures.ts'
import { ChatRefusal } from './refusal.ts'

export type ChatRow = typeof chats.$inferSelect
/** A message with the facts of its file, without the bytes. */
export type MessageRow = typeof chatMessages.$inferSelect & { file?: AttachedFile | null }

const catchUpLimit = 500
/** Maximum size of the JSON of one page. */
const pageBytes = 90_000

/** The chat of a visitor's key; throws `unknown_chat` for any other key. */
export async function findChatByKey(db: Database, key: string): Promise<ChatRow> {
  const [row] = await db.select().from(chats).where(eq(chats.key, key))
  if (!row) throw new ChatRefusal('unknown_chat', 'This conversation does not exist.')
  return row
}

export async function findChat(db: Database, id: number): Promise<ChatRow> {
  const [row] = await db.select().from(chats).where(eq(chats.id, id))
  if (!row) throw new ChatRefusal('unknown_chat', 'This conversation does not exist.')
  return row
}

/** All messages without the notes. */
export async function findVisitorMessages(db: Database, chat: ChatRow): Promise<ChatMessage[]> {
  const rows = await selectMessages(db)
    .where(and(eq(chatMessages.chatId, chat.id), eq(chatMessages.internal, false)))
    .orderBy(asc(chatMessages.seq))
  return rows.map(({ message, file }) => toVisitorMessage({ ...message, file }, chat.key))
}

/** The newest page between two numbers without the notes, in their order. */
export async function findVisitorPage(db: Database, chat: ChatRow, afterSeq: number, beforeSeq?: number) {
  const { id, key } = chat
  const rows = await selectMessages(db)
    .where(
      and(
        eq(chatMessages.chatId, id),
        eq(chatMessages.internal, false),
        gt(chatMessages.seq, afterSeq),
        beforeSeq === undefined ? undefined : lt(chatMessages.seq, beforeSeq),
      ),
    )
    .orderBy(desc(chatMessages.seq))
    .limit(messagesPerPage)
  const messages = cutPage(rows.map(({ message, file }) => toVisitorMessage({ ...message, file }, key))).toReversed()
  return { messages, has_older: (messages[0]?.seq ?? afterSeq + 1) > 1 }
}

/** Cuts to the size of one page; the first message in any case. */
function cutPage<T>(messages: T[]) {
  let left = pageBytes
  const end = messages.findIndex((message, index) => {
    left -= Buffer.byteLength(JSON.stringify(message))
    return left < 0 && index > 0
  })
  return end === -1 ? messages : messages.slice(0, end)
}

/** The newest page with the notes, or the one before a message. */
export async function findOlderStaffMessages(db: Database, chatId: number, beforeId?: number) {
  // A note has the number of the message before it, so the id decides.
  const before = sql`(${chatMessages.seq}, ${chatMessages.id}) < (select seq, id from ${chatMessages} as found
    where found.chat_id = ${chatId} and found.id = ${beforeId})`
  const rows = await selectMessages(db)
    .where(and(eq(chatMessages.chatId, chatId), beforeId === undefined ? undefined : before))
    .orderBy(desc(chatMessages.seq), desc(chatMessages.id))
    .limit(messagesPerPage + 1)
  const page = cutPage(rows.slice(0, messagesPerPage).map(({ message, file }) => toStaffMessage({ ...message, file })))
  return { messages: page.toReversed(), more: false, has_older: page.length < rows.length }
}

/** The page after a number with the notes; `more` where another follows. */
export async function findStaffMessages(db: Database, chatId: number, afterSeq: number) {
  const rows = await selectMessages(db)
    .where(
      and(
        eq(chatMessages.chatId, chatId),
        or(gt(chatMessages.seq, afterSeq), and(eq(chatMessages.internal, true), gte(chatMessages.seq, afterSeq))),
      ),
    )
    .orderBy(asc(chatMessages.seq), asc(chatMessages.id))
    .limit(catchUpLimit)
  const messages = rows.map(({ message, file }) => toStaffMessage({ ...message, file }))
  return { messages, more: rows.length === catchUpLimit, has_older: afterSeq > 0 }
}

export const fileFacts = { id_file: chatFiles.id, name: chatFiles.name, type: chatFiles.type, size: chatFiles.size }

/** Messages with the facts of their files. */
export function selectMessages(db: Database) {
  return db
    .select({ message: chatMessages, file: fileFacts })
    .from(chatMessages)
    .leftJoin(chatFiles, eq(chatFiles.messageId, chatMessages.id))
    .$dynamic()
}

export function countWaitingChats(db: Database) {
  return db.$count(chats, eq(chats.status, 'waiting'))
}

/** Closes once; returns null where it was closed already. Without `userId` the visitor or the product closed it. */
export async function closeChat(
  db: Database,
  id: number,
  userId: number | null = null,
  now = new Date(),
): Promise<ChatRow | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(chats)
      .set({ status: 'closed', closedAt: now, updatedAt: now })
      .where(and(eq(chats.id, id), ne(chats.status, 'closed')))
      .returning()
    if (!row) return null
    await tx.insert(chatEvents).values({ chatId: id, kind: 'closed', userId, at: now })
    await storeFigures(tx, [id])
    return row
  })
}

/**
 * Stores which visitors left and which came back, of these chats; returns those that changed. A visitor who had left the
 * queue is in it again.
 */
export async function markVisitors(
  db: Database,
  open: Pick<ChatRow, 'id' | 'goneAt' | 'status'>[],
  isOnline: (id: number) => boolean,
  now = new Date(),
) {
  const gone = open.filter((chat) => chat.goneAt === null && !isOnline(chat.id)).map(({ id }) => id)
  const back = open.filter((chat) => chat.goneAt !== null && isOnline(chat.id)).map(({ id }) => id)
  const leaving = and(inArray(chats.id, gone), isNull(chats.goneAt), ne(chats.status, 'closed'))
  if (gone.length > 0) await db.update(chats).set({ goneAt: now }).where(leaving)
  const wasAway = sql`${chats.status} = 'away'`
  if (back.length > 0) {
    await db
      .update(chats)
      .set({
        goneAt: null,
        status: sql`case when ${wasAway} then 'waiting' else ${chats.status} end`,
        waitingSince: sql`case when ${wasAway} then ${now.toISOString()}::timestamptz else ${chats.waitingSince} end`,
        escalatedAt: sql`case when ${wasAway} then null else ${chats.escalatedAt} end`,
      })
      .where(and(inArray(chats.id, back), ne(chats.status, 'closed')))
  }
  return [...gone, ...back]
}

/** Replaces the tags of a chat; each once, whatever its case. */
export async function setTags(db: Database, id: number, tags: string[]) {
  const each = [...new Map(tags.map((tag) => [tag.trim().toLowerCase(), tag.trim()])).values()]
  const [row] = await db.update(chats).set({ tags: each }).where(eq(chats.id, id)).returning({ id: chats.id })
  if (!row) throw new ChatRefusal('unknown_chat', 'This conversation does not exist.')
}

export async function markReadByStaff(db: Database, id: number, seq: number) {
  await db
    .update(chats)
    .set({ staffReadSeq: sql`least(greatest(${chats.staffReadSeq}, ${seq}::int), ${chats.lastSeq})` })
    .where(eq(chats.id, id))
}

export async function markReadByVisitor(db: Database, id: number, seq: number) {
  await db
    .update(chats)
    .set({ visitorReadSeq: sql`least(greatest(${chats.visitorReadSeq}, ${seq}::int), ${chats.lastSeq})` })
    .where(eq(chats.id, id))
}

/** The `taken` refusal with the name of the colleague. */
export async function takenBy(db: Database, chat: ChatRow) {
  if (chat.userId === null) return new ChatRefusal('taken', 'Assign this conversation to yourself first.')
  const [user] = await db.select({ name: users.displayName }).from(users).where(eq(users.id, chat.userId))
  return new ChatRefusal('taken', `${isolateDirection(user?.name ?? 'Someone else')} is answering this conversation.`, user?.name)
}

export function toVisitorMessage(row: MessageRow, key: string): ChatMessage {
  return { ...toMessage(row), id_chat: key }
}

export function toStaffMessage(row: MessageRow): StaffMessage {
  return { ...toMessage(row), id: row.chatId, internal: row.internal }
}

function toMessage(row: MessageRow) {
  return {
    id_message: row.id,
    seq: row.seq,
    message: row.message,
    bz_staff: row.fromStaff,
    tech_id_user: row.userId,
    user_name: row.userName,
    image_url: row.imageUrl,
    color: row.color,
    sent_at: row.sentAt.toISOString(),
    client_message_id: row.clientMessageId,
    ...(row.file ? { file: row.file } : {}),
  }
}

/** A technician as visitors see them. */
export type PublicTechnician = { user_name: string; image_url: string | null; title: string; title_en: string }

const publicCacheMs = 10_000
const publicTechnicians = new WeakMap<Database, Map<number, { until: number; found: Promise<PublicTechnician> }>>()

/** By the team record; without one by the display name, and where that is the user name by the company's. Cached. */
export function findPublicTechnician(app: Pick<App, 'db' | 'findTeamRecord'>, userId: number): Promise<PublicTechnician> {
  const cache = publicTechnicians.get(app.db) ?? new Map<number, { until: number; found: Promise<PublicTechnician> }>()
  publicTechnicians.set(app.db, cache)
  const cached = cache.get(userId)
  if (cached && cached.until > Date.now()) return cached.found
  const found = readPublicTechnician(app, userId)
  cache.set(userId, { until: Date.now() + publicCacheMs, found })
  found.catch(() => cache.delete(userId))
  return found
}

/** Reads it anew. */
export async function readPublicTechnician({ db, findTeamRecord }: Pick<App, 'db' | 'findTeamRecord'>, userId: number) {
  const { username, displayName, imageUrl, employeeId } = users
  const [user] = await db.select({ username, displayName, imageUrl, employeeId }).from(users).where(eq(users.id, userId))
  const record = user?.employeeId ? await findTeamRecord(user.employeeId) : null
  const isNamed = user && user.displayName.trim().toLowerCase() !== user.username.toLowerCase()
  return {
    user_name: record?.name ?? (isNamed ? user.displayName : company.name),
    image_url: record?.photo ?? user?.imageUrl ?? null,
    title: record?.title ?? '',
    title_en: record?.title_en ?? '',
  }
}
