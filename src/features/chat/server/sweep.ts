import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { countInRoom } from '#src/server/cluster/remote-sockets.ts'
import type { Database } from '#src/server/database/database.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { App } from '#src/server/types.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { hasRight } from '#src/lib/rights.ts'
import { copyDueFiles } from './files.ts'
import { findAvailableTechnicians, userRoom } from './availability.ts'
import { broadcastOf } from './broadcast.ts'
import { findRequestOf, turnIntoRequest } from './console-routes.ts'
import { mailTexts } from './mail-texts.ts'
import { recordChatEvent, releaseChat, takeExpiredOffers } from './ownership.ts'
import { addRestToRequest, copyRequestReplies } from './request-replies.ts'
import type { ChatRow } from './service.ts'
import { closeChat, markVisitors } from './service.ts'
import { findChatSettings } from './settings.ts'
import { chatMessages, chats, isOpenChat, technicians } from './table.ts'

const tickMs = 3_000
const minuteMs = 60_000
/** A technician who is away for so long loses the chats with an unanswered message. */
const technicianAwayMs = 2 * minuteMs
/** A visitor who is gone for so long leaves the queue. */
const queueMs = 2 * minuteMs
/** A chat in which nobody wrote is closed. */
const emptyMs = 10 * minuteMs
/** A chat whose visitor is gone for so long is closed. */
const goneMs = 24 * 60 * minuteMs

/**
 * What time alone does to open chats. The times are in the database, and each step is one statement that names what it
 * changes: on several instances, or after a restart, each chat changes once.
 */
export function watchConversations(app: App) {
  repeat(app, [sweepConversations, copyRequestReplies])
  // By itself: it may take seconds.
  repeat(app, [copyDueFiles])
}

type Step = (app: App) => Promise<void>

function repeat(app: App, steps: Step[]) {
  let isRunning = false
  const failed = new Set<Step>()
  const tick = async () => {
    if (isRunning) return
    isRunning = true
    for (const step of steps) {
      try {
        await step(app)
        failed.delete(step)
      } catch (error) {
        if (!failed.has(step)) app.log.warn({ err: error }, 'the sweep of open chats failed')
        failed.add(step)
      }
    }
    isRunning = false
  }
  const timer = setInterval(() => void tick(), tickMs)
  app.addHook('preClose', async () => clearInterval(timer))
}

export async function sweepConversations(app: App, now = new Date()) {
  const { db } = app
  const broadcast = broadcastOf(app)
  const open = await db.select({ id: chats.id, goneAt: chats.goneAt, status: chats.status }).from(chats).where(isOpenChat)
  const offers = await takeExpiredOffers(db, now)
  if (open.length === 0) return
  const changed = new Set(await markVisitors(db, open, broadcast.isVisitorOnline, now))
  const present = new Set(findAvailableTechnicians(broadcast.staff).map(({ id_user }) => id_user))
  await markTechnicians(db, present, now)

  for (const { id, offer } of offers) {
    broadcast.offerEnded(id, offer, 'expired')
    changed.add(id)
  }
  const lost = [
    ...(await findUnanswered(app, present, now)),
    ...(await findLeftWithOffer(app, offers, present)),
    ...(await findWithoutTechnician(db)),
  ]
  for (const { chat, reason } of lost) {
    if (!(await releaseChat(db, chat, reason, now))) continue
    if (chat.userId !== null) broadcast.released(chat.userId, { id: chat.id, reason })
    changed.add(chat.id)
  }
  for (const id of await endWaits(db, now)) changed.add(id)
  for (const chat of await closeForgotten(app, now)) {
    broadcast.closed(chat)
    changed.add(chat.id)
  }
  if (changed.size === 0) return
  for (const id of changed) {
    broadcast.chatSoon(id)
    broadcast.queue(id)
  }
  if (lost.length > 0) await broadcast.presence()
}

/** Stores since when the owners of chats have been away; those who are there are not. */
async function markTechnicians(db: Database, present: ReadonlySet<number>, now: Date) {
  const owners = await db.selectDistinct({ id: chats.userId }).from(chats).where(eq(chats.status, 'claimed'))
  const away = owners.flatMap(({ id }) => (id !== null && !present.has(id) ? [id] : []))
  if (present.size > 0)
    await db
      .update(technicians)
      .set({ awaySince: null })
      .where(and(inArray(technicians.userId, [...present]), isNotNull(technicians.awaySince)))
  if (away.length === 0) return
  await db
    .insert(technicians)
    .values(away.map((userId) => ({ userId, available: false, since: now, awaySince: now })))
    .onConflictDoUpdate({
      target: technicians.userId,
      set: { awaySince: now },
      setWhere: sql`${technicians.awaySince} is null`,
    })
}

type Lost = { chat: { id: number; userId: number | null; userName: string; lastSeq: number }; reason: 'unanswered' | 'left' }

/** Claimed chats with a message that waits too long for an answer, or whose technician does not come back. */
async function findUnanswered(app: App, present: ReadonlySet<number>, now: Date): Promise<Lost[]> {
  const { release_minutes: minutes } = await findChatSettings(app.db)
  const rows = await findUnansweredChats(app.db)
  return rows.flatMap(({ since, awaySince, goneAt, ...chat }): Lost[] => {
    const waits = now.getTime() - since.getTime()
    const isAway = !present.has(chat.userId) && awaySince !== null
    const away = isAway ? now.getTime() - Math.max(awaySince.getTime(), since.getTime()) : 0
    if (away >= technicianAwayMs) return [{ chat, reason: 'left' }]
    // A visitor who is gone does not wait.
    return waits >= minutes * minuteMs && goneAt === null ? [{ chat, reason: 'unanswered' }] : []
  })
}

/** `since`: the first message without an answer, or when the technician took the chat after it. */
async function findUnansweredChats(db: Database) {
  const { rows } = (await db.execute(sql`
    select ${chats.id} as id, ${chats.userId} as user_id, ${users.displayName} as user_name, ${chats.lastSeq} as last_seq,
      ${chats.goneAt} as gone_at, ${technicians.awaySince} as away_since,
      greatest(first.sent_at, ${chats.ownedSince}) as since
    from ${chats}
    join ${users} on ${users.id} = ${chats.userId}
    left join ${technicians} on ${technicians.userId} = ${chats.userId}
    cross join lateral (
      select min(message.sent_at) as sent_at from chat_messages as message
      where message.chat_id = ${chats.id} and not message.from_staff and message.seq > coalesce((
        select max(answer.seq) from chat_messages as answer
        where answer.chat_id = ${chats.id} and answer.from_staff and not answer.internal), 0)
    ) as first
    where ${chats.status} = 'claimed' and first.sent_at is not null`)) as { rows: UnansweredRow[] }
  const dateOf = (value: string | Date | null) => (value === null ? null : new Date(value))
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    userName: row.user_name,
    lastSeq: row.last_seq,
    goneAt: dateOf(row.gone_at),
    awaySince: dateOf(row.away_since),
    since: new Date(row.since),
  }))
}

type UnansweredRow = {
  id: number
  user_id: number
  user_name: string
  last_seq: number
  gone_at: string | Date | null
  away_since: string | Date | null
  since: string | Date
}

type Expired = Awaited<ReturnType<typeof takeExpiredOffers>>

/** An offer that nobody accepted does not go back to a technician who left. */
async function findLeftWithOffer({ db, realtime }: App, offers: Expired, present: ReadonlySet<number>): Promise<Lost[]> {
  if (offers.length === 0) return []
  const rows = await db
    .select({ id: chats.id, userId: chats.userId, userName: users.displayName, lastSeq: chats.lastSeq })
    .from(chats)
    .innerJoin(users, eq(users.id, chats.userId))
    .where(
      and(
        inArray(
          chats.id,
          offers.map(({ id }) => id),
        ),
        eq(chats.status, 'claimed'),
      ),
    )
  const isConnected = (userId: number) => countInRoom(realtime.io.of('/staff'), userRoom(userId)) > 0
  return rows.flatMap(({ userId, ...chat }) =>
    userId === null || present.has(userId) || isConnected(userId) ? [] : [{ chat: { ...chat, userId }, reason: 'left' as const }],
  )
}

/** Claimed chats whose technician may not answer any more: without the right, locked, in a disabled group, or deleted. */
async function findWithoutTechnician(db: Database): Promise<Lost[]> {
  const rows = await db
    .select({
      chat: { id: chats.id, userId: chats.userId, lastSeq: chats.lastSeq },
      user: { name: users.displayName, isLocked: users.locked },
      group: { isEnabled: groups.enabled, rights: groups.rights },
    })
    .from(chats)
    .leftJoin(users, eq(users.id, chats.userId))
    .leftJoin(groups, eq(groups.id, users.groupId))
    .where(eq(chats.status, 'claimed'))
  return rows.flatMap(({ chat, user, group }): Lost[] => {
    const mayAnswer = user && group && !user.isLocked && group.isEnabled && hasRight(group.rights, 'chat', 'read_write')
    return mayAnswer ? [] : [{ chat: { ...chat, userName: user?.name ?? '' }, reason: 'left' }]
  })
}

/** Visitors who are gone leave the queue; returns their chats. */
async function endWaits(db: Database, now: Date) {
  const isGone = and(eq(chats.status, 'waiting'), lte(chats.goneAt, new Date(now.getTime() - queueMs)))
  return db.transaction(async (tx) => {
    const ended = await tx.update(chats).set({ status: 'away', updatedAt: now }).where(isGone).returning({ id: chats.id })
    for (const { id } of ended) await recordChatEvent(tx, id, 'visitor_left', null, now)
    return ended.map(({ id }) => id)
  })
}

/** Closes chats in which nobody wrote, and those whose visitor does not come back; returns them. */
async function closeForgotten(app: App, now: Date): Promise<ChatRow[]> {
  const { db } = app
  const began = sql`greatest(${chats.createdAt}, ${chats.ownedSince})`
  const isEmpty = and(eq(chats.lastSeq, 0), lte(began, new Date(now.getTime() - emptyMs)))
  const isGone = lte(chats.goneAt, new Date(now.getTime() - goneMs))
  const forgotten = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(isOpenChat, sql`(${isEmpty} or ${isGone})`))
  const closed: ChatRow[] = []
  for (const { id } of forgotten) {
    const chat = await db.transaction(async (tx) => {
      const row = await closeChat(tx, id, null, now)
      if (row) await addRestToRequest(tx, app, row)
      if (row && (await isUnanswered(tx, row))) await makeRequest(tx, app, row)
      return row
    })
    if (chat) closed.push(chat)
  }
  return closed
}

/** Whether the last message is the visitor's. */
async function isUnanswered(tx: Database, { id, lastSeq }: ChatRow) {
  const isLast = and(eq(chatMessages.chatId, id), eq(chatMessages.seq, lastSeq), eq(chatMessages.internal, false))
  const [last] = await tx.select({ fromStaff: chatMessages.fromStaff }).from(chatMessages).where(isLast)
  return last?.fromStaff === false
}

const author = { userId: null, name: 'chat', address: '' }

async function makeRequest(tx: Database, app: App, chat: ChatRow) {
  if (await findRequestOf(tx, chat)) return
  const subject = translator(mailTexts, chat.language)('unansweredRequest')
  await turnIntoRequest(tx, app, author, chat.id, { subject, summary: '' })
}
