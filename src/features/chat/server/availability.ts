import { and, eq, lt, count, inArray } from 'drizzle-orm'
import type { BusinessHours } from '#src/lib/time/business-hours.ts'
import { isOpen, nextOpening, closingTime, lastClosing } from '#src/lib/time/business-hours.ts'
import type { Availability } from '#src/lib/availability.ts'
import type { App } from '#src/server/types.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { utcOffset, zoneName } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { StaffNamespace, StaffSocket } from './namespaces.ts'
import { findPeriods } from '#src/server/retention/periods.ts'
import { findChatHours, findChatSettings } from './settings.ts'
import { findExpectedMinutes, findUsualMinutes } from './waiting-queue.ts'
import type { ChatAvailability } from '../contract.ts'
import type { OwnAvailability, StaffPresence } from '../protocol.ts'
import { findConsoles } from './namespaces.ts'
import { technicians, chats } from './table.ts'
import { onRemoteChange, touchSocket } from '#src/server/cluster/remote-sockets.ts'
import { findOpenSessions } from '#src/features/people/sign-in/server/sessions.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { hasRight } from '#src/lib/rights.ts'

const dayMs = 86_400_000

/** Every open page shows a change within a second. */
const publishMs = 400

/** Whether the chat is open: available technicians, hours with holidays, urgent banner. */
export async function findChatState(app: App, staff: StaffNamespace, at = new Date()): Promise<Availability> {
  const [hours, emergency] = await Promise.all([findChatHours(app.db), app.findEmergency()])
  const count = findReachableTechnicians(staff).length
  const isWithinHours = isOpen(hours, at)
  const state = count > 0 ? 'open' : isWithinHours ? 'busy' : 'closed'
  return {
    state,
    emergency,
    user_count: count,
    expected_minutes: state === 'busy' ? await findExpectedMinutes(app.db) : null,
    week: hours.week,
    ...describeTimes(hours, at),
  }
}

/** When the hours end or begin, and in which zone. */
function describeTimes(hours: BusinessHours, at: Date) {
  const closes = closingTime(hours, at)
  return {
    next_opening: isOpen(hours, at) ? null : (nextOpening(hours, at)?.toISOString() ?? null),
    closes_at: closes && closes.getTime() - at.getTime() <= dayMs ? closes.toISOString() : null,
    time_zone: hours.timeZone,
    zone_name: zoneName(hours.timeZone, 'fr'),
    zone_name_en: zoneName(hours.timeZone, 'en'),
    utc_offset: utcOffset(hours.timeZone, at),
  }
}

/** Publishes each change, whatever its cause: a technician, the clock, a setting, the banner, another instance. */
export function watchAvailability(app: App, staff: StaffNamespace, emitPresence: () => Promise<void>) {
  let last = ''
  let isRunning = false
  let hasFailed = false
  const look = async () => {
    if (await refreshOnCall(app.db, staff)) await emitPresence()
    const found = await findChatState(app, staff)
    hasFailed = false
    const text = JSON.stringify(found)
    if (text === last) return
    last = text
    app.events.availability(found)
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    look()
      .catch((error: unknown) => {
        if (!hasFailed) app.log.warn({ err: error }, 'the state of the chat could not be read')
        hasFailed = true
      })
      .finally(() => {
        isRunning = false
      })
  }, publishMs)
  app.addHook('preClose', async () => clearInterval(timer))
}

/** The warning before closing time; availability confirmed after it lasts. */
const closingWarningMs = 5 * 60_000
const closingTickMs = 5_000

/** Room of the sockets of available technicians. */
export const availableRoom = 'available'
export const userRoom = (userId: number) => `user:${userId}`

/** Technicians who are signed in, have the right, are marked available and connected now. */
export function findAvailableTechnicians(staff: StaffNamespace) {
  const available = findConsoles(staff).filter(({ rooms }) => rooms.has(availableRoom))
  const names = new Map(available.map(({ userId, userName }) => [userId, userName]))
  return [...names].map(([id, name]) => ({ id_user: id, user_name: name }))
}

/**
 * Of these technicians, who are available but have no page open, the ones who can be called: a push reaches a device of
 * theirs.
 */
export type FindOnCall = (userIds: readonly number[]) => Promise<readonly number[]>

type OnCall = { find: FindOnCall; found: readonly Pick<StaffPresence, 'id_user' | 'user_name' | 'languages'>[] }
const onCallOf = new WeakMap<StaffNamespace, OnCall>()

/** Sets the lookup of technicians on call; without it nobody is. */
export function setOnCall(staff: StaffNamespace, find: FindOnCall) {
  onCallOf.set(staff, { find, found: [] })
}

/** Technicians on call, as of the last refresh and without those who opened a page since. */
export function findOnCall(staff: StaffNamespace) {
  const { found = [] } = onCallOf.get(staff) ?? {}
  if (found.length === 0) return []
  const connected = new Set(findConsoles(staff).map(({ userId }) => userId))
  return found.filter(({ id_user }) => !connected.has(id_user))
}

/** Reads again who is on call; returns whether that changed. */
export async function refreshOnCall(db: Database, staff: StaffNamespace) {
  const onCall = onCallOf.get(staff)
  if (!onCall) return false
  const connected = new Set(findConsoles(staff).map(({ userId }) => userId))
  const rows = await db
    .select({ id: users.id, name: users.displayName, languages: users.languages, rights: groups.rights })
    .from(technicians)
    .innerJoin(users, eq(users.id, technicians.userId))
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(and(eq(technicians.available, true), eq(users.locked, false), eq(groups.enabled, true)))
  const absent = rows.filter(({ id, rights }) => !connected.has(id) && hasRight(rights, 'chat', 'read_write'))
  const callable = absent.length > 0 ? await onCall.find(absent.map(({ id }) => id)) : []
  const found = absent.flatMap(({ id, name, languages }) =>
    callable.includes(id) ? [{ id_user: id, user_name: name, languages }] : [],
  )
  const isChanged = JSON.stringify(found) !== JSON.stringify(onCall.found)
  onCall.found = found
  return isChanged
}

/** Technicians who are really there: available, and connected or on call. */
export function findReachableTechnicians(staff: StaffNamespace) {
  return [...findAvailableTechnicians(staff), ...findOnCall(staff)]
}

/** Technicians who have a page open or are on call, available or not. */
export function countTechnicians(staff: StaffNamespace) {
  const connected = findConsoles(staff).flatMap(({ userId, canAnswer }) => (canAnswer ? [userId] : []))
  return new Set([...connected, ...findOnCall(staff).map(({ id_user }) => id_user)]).size
}

export async function findAvailability(
  db: Database,
  staff: StaffNamespace,
  at = new Date(),
): Promise<Omit<ChatAvailability, 'state' | 'emergency' | 'next_opening' | 'expected_minutes'>> {
  const [hours, settings, usual, { chats: retention }] = await Promise.all([
    findChatHours(db),
    findChatSettings(db),
    findUsualMinutes(db),
    findPeriods(db),
  ])
  const count = findReachableTechnicians(staff).length
  const today = dayIn(hours.timeZone, at)
  const [first] = hours.week.flatMap(({ spans }) => spans)
  return {
    user_count: count,
    open: count > 0,
    auto_reply: {
      chat_auto_reply: settings.auto_reply,
      chat_auto_reply_message: settings.auto_reply_message,
      chat_auto_reply_message_en: settings.auto_reply_message_en,
    },
    usual_minutes: usual,
    expected_wait: settings.expected_wait,
    expected_wait_en: settings.expected_wait_en,
    no_answer_minutes: settings.no_answer_minutes,
    attachments_enabled: settings.attachments_enabled,
    retention,
    hours: {
      days: hours.week.map(({ day }) => day),
      opens: first?.opens ?? '',
      closes: first?.closes ?? '',
      week: hours.week.map(({ day, spans }) => ({ day, spans: [...spans] })),
      holidays: hours.holidays.filter(({ date }) => date >= today).map(({ date, spans }) => ({ date, spans: [...spans] })),
      ...describeTimes(hours, at),
    },
  }
}

/** Whether a person is available, and until when: closing time ends it, unless they confirmed it after the warning. */
export async function findOwnAvailability(db: Database, userId: number, at = new Date()): Promise<OwnAvailability> {
  const [row] = await db.select().from(technicians).where(eq(technicians.userId, userId))
  if (!row?.available) return { available: false, until: null }
  const closes = closingTime(await findChatHours(db), at)
  const stays = closes === null || row.since.getTime() >= closes.getTime() - closingWarningMs
  return { available: true, until: stays ? null : closes.toISOString() }
}

/** Emits a person's availability to all their tabs. */
export function emitAvailability(staff: StaffNamespace, userId: number, own: OwnAvailability) {
  staff.in(userRoom(userId)).emit('staff:availability', own)
}

/** Marks a person available or not, on all their tabs. */
export async function setAvailable(db: Database, staff: StaffNamespace, userId: number, available: boolean) {
  const since = new Date()
  await db
    .insert(technicians)
    .values({ userId, available, since })
    .onConflictDoUpdate({ target: technicians.userId, set: { available, since } })
  const tabs = staff.in(userRoom(userId))
  if (available) tabs.socketsJoin(availableRoom)
  else tabs.socketsLeave(availableRoom)
  const own = await findOwnAvailability(db, userId, since)
  emitAvailability(staff, userId, own)
  return own
}

/** Availability belongs to the person: who signs off in one browser is unavailable in all. */
export function watchSignOff(app: App, staff: StaffNamespace, emitPresence: () => Promise<void>) {
  app.events.onSignedOff((userId) => {
    endAvailabilityOf(app.db, staff, [userId])
      .then(() => emitPresence())
      .catch((error: unknown) => app.log.error({ err: error }, 'a technician who signed off is still marked available'))
  })
}

/** At closing time everybody becomes unavailable who did not confirm after the warning. */
export function watchClosing(app: App, staff: StaffNamespace, emitPresence: () => Promise<void>) {
  let warnedFor = 0
  const tick = async () => {
    const now = new Date()
    const closes = closingTime(await findChatHours(app.db), now)
    if (closes && closes.getTime() - now.getTime() <= closingWarningMs && warnedFor !== closes.getTime()) {
      warnedFor = closes.getTime()
      // Each instance warns its own.
      staff.local.in(availableRoom).emit('staff:closing', { closes_at: closes.toISOString() })
    }
    if (!closes && (await endAvailability(app.db, staff, now))) await emitPresence()
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => logger.warn({ err: error }, 'availability could not be ended at closing time'))
  }, closingTickMs)
  app.addHook('preClose', async () => clearInterval(timer))
}

/** Returns whether anybody became unavailable. */
async function endAvailability(db: Database, staff: StaffNamespace, now: Date) {
  const closed = lastClosing(await findChatHours(db), now)
  if (!closed) return false
  const stale = and(eq(technicians.available, true), lt(technicians.since, new Date(closed.getTime() - closingWarningMs)))
  const left = await db.update(technicians).set({ available: false }).where(stale).returning({ id: technicians.userId })
  for (const { id } of left) emitUnavailable(staff, id)
  return left.length > 0
}

/** These people become unavailable, on all their devices. */
export async function endAvailabilityOf(db: Database, staff: StaffNamespace, userIds: readonly number[]) {
  const isTheirs = and(inArray(technicians.userId, [...userIds]), eq(technicians.available, true))
  const left = await db.update(technicians).set({ available: false }).where(isTheirs).returning({ id: technicians.userId })
  for (const { id } of left) emitUnavailable(staff, id)
}

function emitUnavailable(staff: StaffNamespace, userId: number) {
  staff.in(userRoom(userId)).socketsLeave(availableRoom)
  emitAvailability(staff, userId, { available: false, until: null })
}

const tickMs = 5_000
const gatherMs = 100

/** Everybody who is connected with the right, available or not, or on call, with their number of chats; several tabs count once. */
export async function findStaffPresence(db: Database, staff: StaffNamespace): Promise<StaffPresence[]> {
  const answered = await db
    .select({ userId: chats.userId, count: count() })
    .from(chats)
    .where(eq(chats.status, 'claimed'))
    .groupBy(chats.userId)
  const countOf = (id: number) => answered.find((one) => one.userId === id)?.count ?? 0
  const people = new Map<number, StaffPresence>()
  for (const { userId, userName, languages, canAnswer, rooms } of findConsoles(staff)) {
    people.set(userId, {
      id_user: userId,
      user_name: userName,
      languages: [...languages],
      available: rooms.has(availableRoom),
      can_answer: canAnswer,
      on_call: false,
      chats: countOf(userId),
    })
  }
  for (const { id_user, user_name, languages } of findOnCall(staff)) {
    people.set(id_user, {
      id_user,
      user_name,
      languages,
      available: true,
      can_answer: true,
      on_call: true,
      chats: countOf(id_user),
    })
  }
  return [...people.values()].toSorted((one, other) => one.user_name.localeCompare(other.user_name))
}

/** Notifies the consoles of this instance of what changed on another, once for all that changed in a moment. */
export function watchColleagues(app: App, staff: StaffNamespace, emitPresence: (options: { local: true }) => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  onRemoteChange(staff, () => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (staff.sockets.size === 0) return
      emitPresence({ local: true }).catch((error: unknown) =>
        logger.warn({ err: error }, 'presence on another instance was not shown'),
      )
    }, gatherMs)
  })
  app.addHook('preClose', async () => clearTimeout(timer))
}

/** Applies changed rights and languages to connected consoles within seconds, without a new sign-in. */
export function watchRights(app: App, staff: StaffNamespace, emitPresence: () => Promise<void>) {
  const tick = async () => {
    // The news of a session that ended on another instance may be lost while Redis is down.
    if (!app.cluster.isAlone) await closeEnded(app.db, staff)
    if (await applyRights(app.db, staff)) await emitPresence()
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => logger.warn({ err: error }, 'the rights of the technicians could not be read'))
  }, tickMs)
  app.addHook('preClose', async () => clearInterval(timer))
}

async function closeEnded(db: Database, staff: StaffNamespace) {
  const sockets = [...staff.sockets.values()]
  const open = await findOpenSessions(
    db,
    sockets.map(({ data }) => data.sessionHash),
  )
  for (const socket of sockets) if (!open.has(socket.data.sessionHash)) socket.disconnect(true)
}

/** Returns whether anything changed. */
export async function applyRights(db: Database, staff: StaffNamespace) {
  const sockets = [...staff.sockets.values()]
  if (sockets.length === 0) return false
  const people = await findPeople(
    db,
    sockets.map((socket) => socket.data.userId),
  )
  let isChanged = false
  for (const socket of sockets) {
    const { userId, canAnswer, languages } = socket.data
    const { rights: own = {}, languages: spoken = languages } = people.get(userId) ?? {}
    if (!hasRight(own, 'chat', 'read_only')) socket.disconnect(true)
    const mayAnswer = hasRight(own, 'chat', 'read_write')
    if (mayAnswer === canAnswer && spoken.join() === languages.join()) continue
    isChanged = true
    socket.data.canAnswer = mayAnswer
    socket.data.languages = spoken
    touchSocket(staff, socket.id)
    if (canAnswer && !mayAnswer) await leave(db, staff, socket)
  }
  return isChanged
}

async function findPeople(db: Database, ids: number[]) {
  const rows = await db
    .select({ id: users.id, languages: users.languages, locked: users.locked, enabled: groups.enabled, rights: groups.rights })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(
    rows.map(({ id, languages, locked, enabled, rights }) => [id, { languages, rights: enabled && !locked ? rights : {} }]),
  )
}

/** Without the right to answer a person becomes unavailable, and stays so when the right returns. */
async function leave(db: Database, staff: StaffNamespace, { data: { userId } }: StaffSocket) {
  await db.update(technicians).set({ available: false }).where(eq(technicians.userId, userId))
  emitUnavailable(staff, userId)
}
