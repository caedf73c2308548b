import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#src/server/database/database.ts'
import { users } from '#src/features/people/server/table.ts'
import type { ChatOffer, StaffChat } from '../protocol.ts'
import { ChatRefusal } from './refusal.ts'
import { addExcerpts, findMatches } from './search-chats.ts'
import type { ChatRow } from './service.ts'
import { markVisitors } from './service.ts'
import { chatMessages, chatOffers, chats, isOpenChat } from './table.ts'

/* Chats as the staff see them: the list, and one of them. */

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

/** The open chats, or a page of all of them, newest first; with a search, those whose names, tags and messages have every word. */
export async function findStaffChats(db: Database, { scope, search, before }: Wanted, isOnline: (id: number) => boolean) {
  const text = search.trim()
  const where = and(
    scope === 'open' ? isOpenChat : undefined,
    // Stored in microseconds and sent in milliseconds: chats of the same one come twice rather than never.
    before ? lt(chats.updatedAt, new Date(Date.parse(before) + 1)) : undefined,
  )
  if (text) {
    const found = await findMatches(db, { scope, search: text, where, limit: foundPage })
    const shown = await readFound(db, found, { search: text, limit: foundPage }, isOnline)
    return { chats: shown, more: shown.length === foundPage }
  }
  const rows = await selectStaffChats(db)
    .where(where)
    .orderBy(...newestFirst)
    .limit(staffListPage)
  return { chats: rows.map((row) => toStaffChat(row, isOnline(row.chat.id))), more: rows.length === staffListPage }
}

type Shown = { search: string; limit: number }

/** The newest of the found ones, with their excerpts. */
async function readFound(db: Database, ids: readonly number[], { search, limit }: Shown, isOnline: (id: number) => boolean) {
  if (ids.length === 0) return []
  const rows = await selectStaffChats(db)
    .where(inArray(chats.id, [...ids]))
    .orderBy(...newestFirst)
    .limit(limit)
  const found = rows.map((row) => toStaffChat(row, isOnline(row.chat.id)))
  return addExcerpts(db, found, search)
}

const mostNamed = 5

/** The conversation of a number, then the newest that match, for the command palette. */
export async function findNamedChats(db: Database, search: string) {
  const number = Number(/^#?(\d{1,9})$/.exec(search)?.[1])
  const [numbered] = number ? await selectStaffChats(db).where(eq(chats.id, number)) : []
  const found = await findMatches(db, { scope: 'all', search, limit: mostNamed })
  const ids = found.filter((id) => id !== number)
  const others = await readFound(db, ids, { search, limit: mostNamed }, () => false)
  return [...(numbered ? [toStaffChat(numbered, false)] : []), ...others].slice(0, mostNamed)
}

const newestFirst = [desc(chats.updatedAt), desc(chats.id)] as const

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
    source: chat.source,
    time_zone: chat.timeZone,
    read: chat.readPages,
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
