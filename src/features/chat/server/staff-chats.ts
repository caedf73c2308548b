import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { alias } from 'drizzle-orm/pg-core'
import { foldText, likePattern } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import { users } from '#src/features/people/server/table.ts'
import type { ChatOffer, StaffChat } from '../protocol.ts'
import { ChatRefusal } from './refusal.ts'
import type { ChatRow } from './service.ts'
import { markVisitors } from './service.ts'
import { chatMessages, chatOffers, chats, chatTexts, isOpenChat } from './table.ts'

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
  const where = and(
    scope === 'open' ? isOpenChat : undefined,
    // Stored in microseconds and sent in milliseconds: chats of the same one come twice rather than never.
    before ? lt(chats.updatedAt, new Date(Date.parse(before) + 1)) : undefined,
  )
  const matches = text ? await findMatches(db, scope, text, where) : undefined
  const rows = await selectStaffChats(db)
    .where(and(where, matches && inArray(chats.id, matches)))
    .orderBy(...newestFirst)
    .limit(size)
  const found = rows.map((row) => toStaffChat(row, isOnline(row.chat.id)))
  const more = rows.length === size
  return { chats: text ? await withExcerpts(db, found, text) : found, more }
}

const mostNamed = 5

/** The conversation of a number, then the newest that match, for the command palette. */
export async function findNamedChats(db: Database, search: string) {
  const number = Number(/^#?(\d{1,9})$/.exec(search)?.[1])
  const [numbered] = number ? await selectStaffChats(db).where(eq(chats.id, number)) : []
  const { chats: found } = await findStaffChats(db, { scope: 'all', search }, () => false)
  const others = found.filter(({ id }) => id !== number)
  return [...(numbered ? [toStaffChat(numbered, false)] : []), ...others].slice(0, mostNamed)
}

const newestFirst = [desc(chats.updatedAt), desc(chats.id)] as const
/** A frequent word is found among these; without them, the index would have to be read for every conversation that has it. */
const newestClosed = 2_000

/** At most a page of each: the open conversations, whose messages change, and the closed ones, whose text is stored. */
async function findMatches(db: Database, scope: Wanted['scope'], search: string, where: SQL | undefined) {
  const pattern = patternOf(search)
  const openChats = await db.select({ id: chats.id }).from(chats).where(and(where, isOpenChat))
  const inMessages = db
    .select({ id: chatMessages.chatId })
    .from(chatMessages)
    .where(
      and(
        // The ids, or the planner could read every message for the few that are open.
        inArray(
          chatMessages.chatId,
          openChats.map(({ id }) => id),
        ),
        contains(chatMessages.message, search),
      ),
    )
  const names = [chats.clientName, chats.clientBusiness, chats.clientEmail, sql`${chats.tags}::text`]
  const open = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(where, isOpenChat, or(...names.map((column) => contains(column, search)), inArray(chats.id, inMessages))))
    .orderBy(...newestFirst)
    .limit(foundPage)
  const openIds = open.map(({ id }) => id)
  if (scope === 'open') return openIds
  const isClosed = and(where, eq(chats.status, 'closed'))
  const newest = sql`select ${chats.id}, ${chats.updatedAt} from ${chats} where ${isClosed} order by ${chats.updatedAt} desc limit ${newestClosed}`
  // One by one: the planner takes a frequent word for a rare one, and would read the text of every conversation that has it.
  const inNewest = await queryIds(
    db,
    sql`select newest.id from (${newest}) newest, lateral (select ${chatTexts.text} || '' as text from ${chatTexts}
      where ${chatTexts.chatId} = newest.id offset 0) folded
      where folded.text like ${pattern} order by newest.updated_at desc limit ${foundPage}`,
  )
  if (inNewest.length === foundPage) return [...openIds, ...inNewest]
  // Materialized, or the planner could look each conversation's text up, newest first, for a word that none has.
  const inAll = await queryIds(
    db,
    sql`with hits as materialized (select ${chatTexts.chatId} as id from ${chatTexts} where ${chatTexts.text} like ${pattern})
      select ${chats.id} from hits join ${chats} on ${chats.id} = hits.id where ${isClosed}
      order by ${chats.updatedAt} desc limit ${foundPage}`,
  )
  return [...openIds, ...inAll]
}

async function queryIds(db: Database, query: SQL) {
  return ((await db.execute(query)) as { rows: { id: number }[] }).rows.map(({ id }) => id)
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

const patternOf = (search: string) => `%${likePattern(foldText(search))}%`

/** `search_text` ignores case, accents and ligatures as `foldText` does, whatever the collation of the database. */
const contains = (column: PgColumn | SQL, search: string) => sql`search_text(${column}) like ${patternOf(search)}`

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
