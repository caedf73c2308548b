import { and, desc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#src/server/database/database.ts'
import { users } from '#src/features/people/users/server/table.ts'
import type { StaffChat } from '../protocol.ts'
import { ChatRefusal } from './refusal.ts'
import type { ChatRow } from './service.ts'
import { chatMessages, chats } from './table.ts'

const staffListPage = 300
const foundPage = 50

type Found = {
  chat: ChatRow
  userName: string | null
  unread: number
  lastMessage: string | null
  continuedIn: number | null
}
type Wanted = { scope: 'open' | 'all'; search: string; before?: string | undefined }

/** The open chats, or a page of all of them, newest first; searched by name, company, e-mail and messages. */
export async function findStaffChats(db: Database, { scope, search, before }: Wanted, isOnline: (id: number) => boolean) {
  const text = search.trim()
  const size = text ? foundPage : staffListPage
  const rows = await selectStaffChats(db)
    .where(
      and(
        scope === 'open' ? ne(chats.status, 'closed') : undefined,
        // Stored in microseconds and sent in milliseconds: chats of the same one come twice rather than never.
        before ? lt(chats.updatedAt, new Date(Date.parse(before) + 1)) : undefined,
        text ? matching(db, text) : undefined,
      ),
    )
    .orderBy(desc(chats.updatedAt), desc(chats.id))
    .limit(size)
  const found = rows.map((row) => toStaffChat(row, isOnline(row.chat.id)))
  const more = rows.length === size
  return { chats: text ? await withExcerpts(db, found, text) : found, more }
}

function matching(db: Database, search: string) {
  const matches = db.select({ id: chatMessages.chatId }).from(chatMessages).where(contains(chatMessages.message, search))
  const names = [chats.clientName, chats.clientBusiness, chats.clientEmail]
  return or(...names.map((column) => contains(column, search)), inArray(chats.id, matches))
}

/** Adds to each chat an excerpt of the newest message that matches. */
async function withExcerpts(db: Database, found: StaffChat[], search: string): Promise<StaffChat[]> {
  if (found.length === 0) return found
  const ids = found.map((chat) => chat.id)
  const rows = await db
    .selectDistinctOn([chatMessages.chatId], { id: chatMessages.chatId, message: chatMessages.message })
    .from(chatMessages)
    .where(and(inArray(chatMessages.chatId, ids), contains(chatMessages.message, search)))
    .orderBy(chatMessages.chatId, desc(chatMessages.id))
  const excerpts = new Map(rows.map(({ id, message }) => [id, excerptAround(message, search)]))
  return found.map((chat) => {
    const excerpt = excerpts.get(chat.id)
    return excerpt === undefined ? chat : { ...chat, found: excerpt }
  })
}

const accented = 'ÀÂÄÇÉÈÊËÎÏÔÖÙÛÜàâäçéèêëîïôöùûüÿ'
const plain = 'aaaceeeeiioouuuaaaceeeeiioouuuy'

/** Ignores case and accents. */
function contains(column: PgColumn, search: string) {
  const pattern = `%${withoutAccents(search).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`lower(translate(${column}, ${accented}, ${plain})) like ${pattern}`
}

function withoutAccents(text: string) {
  return [...text.toLowerCase()].map((one) => plain[accented.indexOf(one)] ?? one).join('')
}

function excerptAround(message: string, search: string) {
  const at = Math.max(0, withoutAccents(message).indexOf(withoutAccents(search)))
  const from = Math.max(0, at - 40)
  const to = at + search.length + 80
  return `${from > 0 ? '…' : ''}${message.slice(from, to)}${to < message.length ? '…' : ''}`
}

export async function findStaffChat(db: Database, id: number, online: boolean): Promise<StaffChat> {
  const [row] = await selectStaffChats(db).where(eq(chats.id, id))
  if (!row) throw new ChatRefusal('unknown_chat', 'This conversation does not exist.')
  return toStaffChat(row, online)
}

export async function findStaffChatsById(db: Database, ids: number[], isOnline: (id: number) => boolean) {
  const rows = await selectStaffChats(db).where(inArray(chats.id, ids))
  return rows.map((row) => toStaffChat(row, isOnline(row.chat.id)))
}

const continuations = alias(chats, 'continuations')

function selectStaffChats(db: Database) {
  const fromVisitor = sql`${chatMessages.chatId} = ${chats.id} and not ${chatMessages.fromStaff}`
  const unread = sql<number>`(select count(*)::int from ${chatMessages} where ${fromVisitor} and ${chatMessages.seq} > ${chats.staffReadSeq})`
  const last = sql<string | null>`(select left(${chatMessages.message}, 200) from ${chatMessages}
    where ${chatMessages.chatId} = ${chats.id} and not ${chatMessages.internal} order by ${chatMessages.seq} desc limit 1)`
  return db
    .select({ chat: chats, userName: users.displayName, unread, lastMessage: last, continuedIn: continuations.id })
    .from(chats)
    .leftJoin(users, eq(users.id, chats.userId))
    .leftJoin(continuations, eq(continuations.continuesId, chats.id))
    .$dynamic()
}

function toStaffChat({ chat, userName, unread, lastMessage, continuedIn }: Found, online: boolean): StaffChat {
  return {
    id: chat.id,
    client_name: chat.clientName,
    client_email: chat.clientEmail,
    client_business: chat.clientBusiness,
    language: chat.language,
    page: chat.page,
    status: chat.status,
    id_user: chat.userId,
    user_name: userName,
    last_seq: chat.lastSeq,
    unread,
    last_message: lastMessage ?? '',
    visitor_online: online,
    visitor_read_seq: chat.visitorReadSeq,
    created_at: chat.createdAt.toISOString(),
    updated_at: chat.updatedAt.toISOString(),
    claimed_at: chat.claimedAt?.toISOString() ?? null,
    rating: chat.rating,
    rating_comment: chat.ratingComment,
    continues: chat.continuesId,
    continued_in: continuedIn,
  }
}
