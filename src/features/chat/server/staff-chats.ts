import { and, desc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { alias } from 'drizzle-orm/pg-core'
import { foldText } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import { users } from '#src/features/people/server/table.ts'
import type { ChatOffer, StaffChat } from '../protocol.ts'
import { ChatRefusal } from './refusal.ts'
import type { ChatRow } from './service.ts'
import { markVisitors } from './service.ts'
import { chatMessages, chatOffers, chats } from './table.ts'

/* Chats as the staff see them: the list, the search, and one of them. */

const staffListPage = 300
const foundPage = 50

type Found = {
  chat: ChatRow
  userName: string | null
  unread: number
  lastMessage: string | null
  continuedIn: number | null
  offer: OfferRow | null
}
type Wanted = { scope: 'open' | 'all'; search: string; before?: string | undefined }

/** The open chats, or a page of all of them, newest first; searched by name, company, e-mail, tags and messages. */
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
  return or(
    ...names.map((column) => contains(column, search)),
    contains(sql`${chats.tags}::text`, search),
    inArray(chats.id, matches),
  )
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

const foldedLetters = [
  'ÀÂÄÇÉÈÊËÎÏÔÖÙÛÜÁÍÓÚÑÃÕÅàâäçéèêëîïôöùûüÿáíóúñãõåŒÆ',
  'aaaceeeeiioouuuaiounaoaaaaceeeeiioouuuyaiounaoaœæ',
] as const
/** Of texts stored before they were composed (NFC): `translate` removes what has no counterpart. */
const combining = '\u0300\u0301\u0302\u0308\u0327\u0303'

/** Ignores case, accents and ligatures as `foldText` does, whatever the collation of the database. */
function contains(column: PgColumn | SQL, search: string) {
  const pattern = `%${foldText(search).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const [accented, plain] = foldedLetters
  return sql`replace(replace(lower(translate(${column}, ${accented + combining}, ${plain})), 'œ', 'oe'), 'æ', 'ae') like ${pattern}`
}

function excerptAround(message: string, search: string) {
  const at = Math.max(0, foldText(message).indexOf(foldText(search)))
  const from = Math.max(0, at - 40)
  const to = at + search.length + 80
  return `${from > 0 ? '…' : ''}${message.slice(from, to)}${to < message.length ? '…' : ''}`
}

export async function findStaffChat(db: Database, id: number, online: boolean): Promise<StaffChat> {
  const [row] = await selectStaffChats(db).where(eq(chats.id, id))
  if (!row) throw new ChatRefusal('unknown_chat', 'This conversation does not exist.')
  return toStaffChat(row, online)
}

/** Chats as they are now; stores on the way whose visitor left or came back. */
export async function findStaffChatsById(db: Database, ids: number[], isOnline: (id: number) => boolean) {
  const find = () => selectStaffChats(db).where(inArray(chats.id, ids))
  let rows = await find()
  const open = rows.map(({ chat }) => chat).filter(({ status }) => status !== 'closed')
  if ((await markVisitors(db, open, isOnline)).length > 0) rows = await find()
  return rows.map((row) => toStaffChat(row, isOnline(row.chat.id)))
}

const continuations = alias(chats, 'continuations')
export const givers = alias(users, 'givers')
export const takers = alias(users, 'takers')

/** Of an offer, joined with the two technicians (`givers`, `takers`). */
export const offerColumns = {
  fromId: givers.id,
  fromName: givers.displayName,
  toId: takers.id,
  toName: takers.displayName,
  note: chatOffers.note,
  until: chatOffers.until,
}

type OfferRow = Record<'fromId' | 'toId', number | null> &
  Record<'fromName' | 'toName' | 'note', string | null> & { until: Date | null }

export function toOffer({ fromId, fromName, toId, toName, note, until }: OfferRow): ChatOffer | null {
  if (fromId === null || toId === null || until === null) return null
  return {
    from: { id_user: fromId, user_name: fromName ?? '' },
    to: { id_user: toId, user_name: toName ?? '' },
    note: note ?? '',
    until: until.toISOString(),
  }
}

function selectStaffChats(db: Database) {
  const fromVisitor = sql`${chatMessages.chatId} = ${chats.id} and not ${chatMessages.fromStaff}`
  const unread = sql<number>`(select count(*)::int from ${chatMessages} where ${fromVisitor} and ${chatMessages.seq} > ${chats.staffReadSeq})`
  const last = sql<string | null>`(select left(${chatMessages.message}, 200) from ${chatMessages}
    where ${chatMessages.chatId} = ${chats.id} and not ${chatMessages.internal} order by ${chatMessages.seq} desc limit 1)`
  return db
    .select({
      chat: chats,
      userName: users.displayName,
      unread,
      lastMessage: last,
      continuedIn: continuations.id,
      offer: offerColumns,
    })
    .from(chats)
    .leftJoin(users, eq(users.id, chats.userId))
    .leftJoin(continuations, eq(continuations.continuesId, chats.id))
    .leftJoin(chatOffers, eq(chatOffers.chatId, chats.id))
    .leftJoin(givers, eq(givers.id, chatOffers.fromUserId))
    .leftJoin(takers, eq(takers.id, chatOffers.toUserId))
    .$dynamic()
}

function toStaffChat({ chat, userName, unread, lastMessage, continuedIn, offer }: Found, online: boolean): StaffChat {
  return {
    id: chat.id,
    client_name: chat.clientName,
    client_email: chat.clientEmail,
    client_business: chat.clientBusiness,
    language: chat.language,
    page: chat.page,
    status: chat.status,
    visitor: online ? 'here' : 'gone',
    gone_at: online ? null : (chat.goneAt?.toISOString() ?? null),
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
    waiting_since: chat.waitingSince.toISOString(),
    released: chat.releasedReason && { reason: chat.releasedReason, user_name: chat.releasedFrom },
    offer: offer && toOffer(offer),
    tags: chat.tags,
    rating: chat.rating,
    rating_comment: chat.ratingComment,
    continues: chat.continuesId,
    continued_in: continuedIn,
  }
}
