import { and, desc, eq, gt, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import { findSignedIn } from '#src/features/people/sign-in/server/sessions.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import { availableRoom, findOnCall, refreshOnCall, setOnCall } from './availability.ts'
import type { StaffNamespace, VisitorNamespace } from './namespaces.ts'
import { findConsoles, isVisitorOnline } from './namespaces.ts'
import { answeredSince, pushCall } from './push.ts'
import { findChatSettings } from './settings.ts'
import { chatMessages, chats, pushCalls, pushDevices, unansweredCalls } from './table.ts'

/*
 * On call: available, signed in, every screen closed, and a device that answers. Visitors count on these technicians, so
 * calls without a reaction end it until the technician opens a screen again.
 */

const minuteMs = 60_000
/** A conversation calls the same technician again after this time, and twice at most. */
const callAgainMs = 1.5 * minuteMs
const callsPerChat = 2
/** So many calls without a reaction, over so long, end a technician's time on call. */
const unansweredLimit = 2
const reactionMs = 3 * minuteMs
/** A conversation that waits for this long calls anew. */
const forgetCallsMs = 10 * minuteMs

/** Of these technicians, those who can be called: signed in, with a device that answers, and not tried in vain. */
async function findCallable(db: Database, userIds: readonly number[], now = new Date()): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: pushDevices.userId, calls: unansweredCalls })
    .from(pushDevices)
    .leftJoin(unansweredCalls, eq(unansweredCalls.userId, pushDevices.userId))
    .where(
      and(inArray(pushDevices.userId, [...userIds]), gt(pushDevices.answeredAt, answeredSince(now)), isNotNull(pushDevices.auth)),
    )
  const ids = rows.flatMap(({ id, calls }) => (isOver(calls, now) ? [] : [id]))
  return [...(await findSignedIn(db, ids))]
}

function isOver(calls: typeof unansweredCalls.$inferSelect | null, now: Date) {
  if (!calls) return false
  const isLate = now.getTime() - calls.firstAt.getTime() >= reactionMs && now.getTime() - calls.lastAt.getTime() >= callAgainMs
  return calls.isRefused || (calls.count >= unansweredLimit && isLate)
}

const tickMs = 1_000
/** A page that is loaded anew comes back within this time. */
const reloadMs = 2_000
/** After a restart of the server every open screen comes back within this time. */
const restartMs = 10_000

/** Calls technicians by push while a visitor waits and nobody reacts. */
export function watchCalls(app: App, staff: StaffNamespace, visitors: VisitorNamespace) {
  const startedAt = performance.now()
  const lastConnected = new Map<number, number>()
  let isRunning = false

  /** Whether a technician closed their screens, rather than loaded a page anew. */
  const isGone = (userId: number) => {
    const now = performance.now()
    const last = lastConnected.get(userId)
    return last === undefined ? now - startedAt > restartMs : now - last > reloadMs
  }
  const report = (error: unknown) => logger.warn({ err: error }, 'technicians on call could not be called')
  setOnCall(staff, (userIds) => findCallable(app.db, userIds))
  staff.on('connection', (socket) => {
    const { userId } = socket.data
    app.db.delete(unansweredCalls).where(eq(unansweredCalls.userId, userId)).catch(report)
    socket.on('disconnect', () => {
      lastConnected.set(userId, performance.now())
      // At once: a visitor who comes now must find somebody.
      refreshOnCall(app.db, staff).catch(report)
    })
  })
  const tick = async () => {
    for (const { userId } of findConsoles(staff)) lastConnected.set(userId, performance.now())
    const onCall = findOnCall(staff).filter(({ id_user: id }) => isGone(id))
    if (onCall.length > 0) await callFor(app, staff, visitors, onCall)
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    tick()
      .catch(report)
      .finally(() => {
        isRunning = false
      })
  }, tickMs)
  app.addHook('preClose', async () => clearInterval(timer))
}

type OnCall = ReturnType<typeof findOnCall>

async function callFor(app: App, staff: StaffNamespace, visitors: VisitorNamespace, onCall: OnCall) {
  const waiting = await findWaiting(app.db, staff, onCall)
  const calls = waiting
    .filter(({ id }) => isVisitorOnline(visitors, id))
    .flatMap(({ id, userId }) =>
      onCall
        .filter((technician) => userId === null || technician.id_user === userId)
        .map((technician) => ({ chatId: id, userId: technician.id_user, isOwn: userId !== null })),
    )
  await Promise.all(
    calls.map(async (call) => {
      if (!(await isDue(app.db, call))) return
      const isTaken = await pushCall(app, call)
      await recordCall(app.db, call.userId, isTaken)
    }),
  )
}

/**
 * Conversations that nobody reacts to: waiting for anybody, once the technicians with an open screen had their time, or
 * with the last message unanswered by an owner who is on call.
 */
async function findWaiting(db: Database, staff: StaffNamespace, onCall: OnCall) {
  const { escalation_notification_minutes: minutes } = await findChatSettings(db)
  const isSomebodyThere = findConsoles(staff).some(({ rooms }) => rooms.has(availableRoom))
  const since = new Date(Date.now() - (isSomebodyThere ? minutes * minuteMs : 0))
  const lastIsVisitors = sql<boolean>`coalesce((select not ${chatMessages.fromStaff} from ${chatMessages}
    where ${chatMessages.chatId} = ${chats.id} and not ${chatMessages.internal} order by ${chatMessages.seq} desc limit 1), false)`
  const ids = onCall.map(({ id_user: id }) => id)
  return db
    .select({ id: chats.id, userId: sql<number | null>`case when ${chats.status} = 'claimed' then ${chats.userId} end` })
    .from(chats)
    .where(
      or(
        and(eq(chats.status, 'waiting'), lt(chats.createdAt, since)),
        and(eq(chats.status, 'claimed'), inArray(chats.userId, ids), lastIsVisitors),
      ),
    )
    .orderBy(desc(chats.createdAt))
    .limit(20)
}

/** Of several instances exactly one makes a call. */
async function isDue(db: Database, { chatId, userId }: { chatId: number; userId: number }, now = new Date()) {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const isForgotten = lt(pushCalls.calledAt, ago(forgetCallsMs))
  const [due] = await db
    .insert(pushCalls)
    .values({ chatId, userId, count: 1, calledAt: now })
    .onConflictDoUpdate({
      target: [pushCalls.chatId, pushCalls.userId],
      set: { count: sql`case when ${isForgotten} then 1 else ${pushCalls.count} + 1 end`, calledAt: now },
      setWhere: and(lt(pushCalls.calledAt, ago(callAgainMs)), or(isForgotten, lt(pushCalls.count, callsPerChat))),
    })
    .returning({ chatId: pushCalls.chatId })
  return due !== undefined
}

async function recordCall(db: Database, userId: number, isTaken: boolean, now = new Date()) {
  await db
    .insert(unansweredCalls)
    .values({ userId, count: 1, firstAt: now, lastAt: now, isRefused: !isTaken })
    .onConflictDoUpdate({
      target: unansweredCalls.userId,
      set: { count: sql`${unansweredCalls.count} + 1`, lastAt: now, isRefused: !isTaken },
    })
}
