import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { ChatOffer } from '../protocol.ts'
import { messagesPerConversation } from '../values.ts'
import { ChatRefusal } from './refusal.ts'
import type { ChatRow } from './service.ts'
import { findChat, takenBy } from './service.ts'
import { givers, offerColumns, takers, toOffer } from './staff-chats.ts'
import { chatEvents, chatOffers, chats } from './table.ts'

/*
 * Who answers a chat: claim, take over, offer to a colleague, reopen. Each is decided by the database, so that of several
 * attempts at once, on whatever instance, exactly one succeeds.
 */

/** How long a colleague has to accept an offered chat. */
export const offerMs = 60_000

const owned = (userId: number, now: Date) =>
  ({ status: 'claimed', userId, ownedSince: now, releasedReason: null, releasedFrom: '', updatedAt: now }) as const

const refuseClosed = () => new ChatRefusal('closed', 'This conversation is closed.')

/**
 * Of many who claim a waiting chat exactly one gets it; claiming one's own again changes nothing. A chat whose technician
 * is not connected (`isThere`) can be claimed in the same way.
 */
export function claimChat(db: Database, id: number, userId: number, isThere: (userId: number) => boolean) {
  return db.transaction(async (tx) => {
    const chat = await findChat(tx, id)
    if (chat.status === 'claimed' && chat.userId === userId) return { lostBy: null }
    if (chat.status === 'closed') throw refuseClosed()
    const isLeft = chat.status === 'claimed' && (chat.userId === null || !isThere(chat.userId))
    const isFree = isLeft
      ? and(eq(chats.status, 'claimed'), chat.userId === null ? isNull(chats.userId) : eq(chats.userId, chat.userId))
      : inArray(chats.status, ['waiting', 'away'])
    const now = new Date()
    const [won] = await tx
      .update(chats)
      .set({ ...owned(userId, now), claimedAt: chat.claimedAt ?? now })
      .where(and(eq(chats.id, id), isFree))
      .returning({ id: chats.id })
    if (won) await recordChatEvent(tx, id, 'claimed', userId, now)
    if (won) return { lostBy: isLeft ? chat.userId : null }
    const current = await findChat(tx, id)
    if (current.userId !== userId) throw await takenBy(tx, current)
    return { lostBy: null }
  })
}

/** For administrators of the chat: whoever has it loses it. */
export function takeOverChat(db: Database, id: number, userId: number) {
  return db.transaction(async (tx) => {
    const chat = await lockChat(tx, id)
    if (chat.status === 'closed') throw refuseClosed()
    if (chat.userId === userId && chat.status === 'claimed') return { lostBy: null }
    const now = new Date()
    await tx
      .update(chats)
      .set({ ...owned(userId, now), claimedAt: chat.claimedAt ?? now })
      .where(eq(chats.id, id))
    await recordChatEvent(tx, id, 'taken_over', userId, now)
    return { lostBy: chat.status === 'claimed' ? chat.userId : null }
  })
}

/** A closed chat goes on with this technician, unless it was full and continued in another. */
export function reopenChat(db: Database, id: number, userId: number) {
  return db.transaction(async (tx) => {
    const chat = await lockChat(tx, id)
    if (chat.status !== 'closed') {
      if (chat.userId === userId) return null
      throw await takenBy(tx, chat)
    }
    if (chat.lastSeq >= messagesPerConversation) throw new ChatRefusal('closed', 'This conversation is full.')
    const now = new Date()
    await tx
      .update(chats)
      .set({ ...owned(userId, now), claimedAt: chat.claimedAt ?? now, closedAt: null, goneAt: null })
      .where(eq(chats.id, id))
    await recordChatEvent(tx, id, 'reopened', userId, now)
    return chat
  })
}

type Giver = { userId: number; isAdministrator: boolean }

/** Offers a chat to a colleague in place of an earlier offer, which it returns; the chat stays with whoever has it. */
export function offerChat(db: Database, id: number, giver: Giver, to: number, note: string) {
  return db.transaction(async (tx) => {
    const chat = await lockChat(tx, id)
    if (chat.status === 'closed') throw refuseClosed()
    if (!giver.isAdministrator && chat.userId !== giver.userId) throw await takenBy(tx, chat)
    if (chat.userId === to) throw new ChatRefusal('invalid', 'This technician has the conversation already.')
    const replaced = await findOffer(tx, id)
    const offer = { fromUserId: giver.userId, toUserId: to, note, until: new Date(Date.now() + offerMs) }
    await tx
      .insert(chatOffers)
      .values({ chatId: id, ...offer })
      .onConflictDoUpdate({ target: chatOffers.chatId, set: offer })
    return { offer: await findOffer(tx, id), replaced }
  })
}

/** The colleague takes the offered chat. */
export function acceptOffer(db: Database, id: number, userId: number) {
  return db.transaction(async (tx) => {
    const chat = await lockChat(tx, id)
    const offer = await findOffer(tx, id)
    if (offer?.to.id_user !== userId || Date.parse(offer.until) <= Date.now()) throw noOffer()
    if (chat.status === 'closed') throw refuseClosed()
    const now = new Date()
    await tx
      .update(chats)
      .set({ ...owned(userId, now), claimedAt: chat.claimedAt ?? now })
      .where(eq(chats.id, id))
    await tx.delete(chatOffers).where(eq(chatOffers.chatId, id))
    await recordChatEvent(tx, id, 'transferred', userId, now)
    return { offer, lostBy: chat.status === 'claimed' ? chat.userId : null }
  })
}

type EventKind = (typeof chatEvents.$inferInsert)['kind']

export async function recordChatEvent(db: Database, chatId: number, kind: EventKind, userId: number | null, at: Date) {
  await db.insert(chatEvents).values({ chatId, kind, userId, at })
}

/** The colleague declines, or whoever offered it takes it back. */
export async function declineOffer(db: Database, id: number, userId: number) {
  const offer = await findOffer(db, id)
  const isTheirs = offer?.to.id_user === userId || offer?.from.id_user === userId
  if (!offer || !isTheirs || !(await endOffer(db, id))) throw noOffer()
  return { offer, result: offer.to.id_user === userId ? ('declined' as const) : ('withdrawn' as const) }
}

const noOffer = () => new ChatRefusal('expired', 'This conversation is not offered to you any more.')

async function lockChat(tx: Database, id: number): Promise<ChatRow> {
  const [chat] = await tx.select().from(chats).where(eq(chats.id, id)).for('update')
  if (!chat) throw new ChatRefusal('unknown_chat', 'This conversation does not exist.')
  return chat
}

function selectOffers(db: Database) {
  return db
    .select({ chatId: chatOffers.chatId, ...offerColumns })
    .from(chatOffers)
    .innerJoin(givers, eq(givers.id, chatOffers.fromUserId))
    .innerJoin(takers, eq(takers.id, chatOffers.toUserId))
    .$dynamic()
}

async function findOffer(db: Database, id: number): Promise<ChatOffer | null> {
  const [row] = await selectOffers(db).where(eq(chatOffers.chatId, id))
  return row ? toOffer(row) : null
}

/** Removes the offer of a chat; returns it where there was one. */
export async function endOffer(db: Database, id: number): Promise<ChatOffer | null> {
  const offer = await findOffer(db, id)
  if (!offer) return null
  const removed = await db.delete(chatOffers).where(eq(chatOffers.chatId, id)).returning({ id: chatOffers.chatId })
  return removed.length > 0 ? offer : null
}

type Lost = { id: number; userId: number | null; userName: string; lastSeq: number }

/**
 * Takes a chat from its technician, into the queue or, where its visitor is gone, out of sight of it. Null where a message
 * (`lastSeq`) or another change of owner came in between.
 */
export function releaseChat(db: Database, { id, userId, userName, lastSeq }: Lost, reason: 'unanswered' | 'left', now: Date) {
  const isOwner = userId === null ? isNull(chats.userId) : eq(chats.userId, userId)
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(chats)
      .set({
        status: sql`case when ${chats.goneAt} is null then 'waiting' else 'away' end`,
        userId: null,
        ownedSince: null,
        releasedReason: reason,
        releasedFrom: userName,
        waitingSince: now,
        escalatedAt: null,
        updatedAt: now,
      })
      .where(and(eq(chats.id, id), eq(chats.status, 'claimed'), isOwner, eq(chats.lastSeq, lastSeq)))
      .returning({ id: chats.id })
    if (row) await recordChatEvent(tx, id, reason, userId, now)
    return row ?? null
  })
}

/**
 * Takes every chat from a technician whose account ends, in the transaction that ends it; returns the chats, and the offers
 * that end with them.
 */
export async function releaseChatsOf(tx: Database, userId: number, userName: string, now = new Date()) {
  const own = await tx
    .select({ id: chats.id, lastSeq: chats.lastSeq })
    .from(chats)
    .where(and(eq(chats.userId, userId), eq(chats.status, 'claimed')))
    .orderBy(asc(chats.id))
    .for('update')
  for (const { id, lastSeq } of own) await releaseChat(tx, { id, userId, userName, lastSeq }, 'left', now)
  const isPart = or(eq(chatOffers.fromUserId, userId), eq(chatOffers.toUserId, userId))
  const ended = await selectOffers(tx).where(isPart)
  await tx.delete(chatOffers).where(isPart)
  const offers = ended.flatMap(({ chatId, ...row }) => {
    const offer = toOffer(row)
    return offer ? [{ id: chatId, offer }] : []
  })
  return { ids: own.map(({ id }) => id), offers }
}

/** Removes the offers whose time is over; returns them. */
export async function takeExpiredOffers(db: Database, now: Date) {
  const expired = await selectOffers(db).where(lte(chatOffers.until, now))
  if (expired.length === 0) return []
  const ids = expired.map(({ chatId }) => chatId)
  const removed = await db
    .delete(chatOffers)
    .where(and(inArray(chatOffers.chatId, ids), lte(chatOffers.until, now)))
    .returning({ id: chatOffers.chatId })
  return removed.flatMap(({ id }) => {
    const offer = expired.find((one) => one.chatId === id)
    const found = offer && toOffer(offer)
    return found ? [{ id, offer: found }] : []
  })
}
