import { and, eq, lt } from 'drizzle-orm'
import { isOpen, nextOpening, closingTime, lastClosing } from '#src/lib/time/business-hours.ts'
import type { Availability } from '#src/server/live/events.ts'
import type { App } from '#src/server/types.ts'
import { utcOffset, zoneName } from '#src/lib/time/zone-name.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { StaffNamespace } from './namespaces.ts'
import { findChatHours, findChatSettings } from './settings.ts'
import type { ChatAvailability } from '../contract.ts'
import type { OwnAvailability } from '../protocol.ts'
import { findConsoles } from './namespaces.ts'
import { technicians } from './table.ts'

/** Every open page shows a change within a second. */
const publishMs = 400

/** Whether the chat is open: available technicians, hours with holidays, urgent banner. */
export async function findChatState(app: App, staff: StaffNamespace, at = new Date()): Promise<Availability> {
  const [hours, emergency] = await Promise.all([findChatHours(app.db), app.findEmergency()])
  const count = findAvailableTechnicians(staff).length
  const isWithinHours = isOpen(hours, at)
  return {
    state: count > 0 ? 'open' : isWithinHours ? 'busy' : 'closed',
    emergency,
    user_count: count,
    next_opening: isWithinHours ? null : (nextOpening(hours, at)?.toISOString() ?? null),
  }
}

/** Publishes each change, whatever its cause: a technician, the clock, a setting, the banner, another instance. */
export function watchAvailability(app: App, staff: StaffNamespace) {
  let last = ''
  let isRunning = false
  let hasFailed = false
  const look = async () => {
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
        if (!hasFailed) app.log.warn({ err: error }, 'whether the chat is open could not be found out')
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

export async function findAvailability(
  db: Database,
  staff: StaffNamespace,
  at = new Date(),
): Promise<Omit<ChatAvailability, 'state' | 'emergency' | 'next_opening'>> {
  const [hours, settings] = await Promise.all([findChatHours(db), findChatSettings(db)])
  const count = findAvailableTechnicians(staff).length
  const closes = closingTime(hours, at)
  const [first] = hours.week
  return {
    user_count: count,
    open: count > 0,
    auto_reply: {
      chat_auto_reply: settings.auto_reply,
      chat_auto_reply_message: settings.auto_reply_message,
      chat_auto_reply_message_en: settings.auto_reply_message_en,
    },
    expected_wait: settings.expected_wait,
    expected_wait_en: settings.expected_wait_en,
    no_answer_minutes: settings.no_answer_minutes,
    attachments_enabled: settings.attachments_enabled,
    retention_days: settings.retention_days,
    hours: {
      days: hours.week.map(({ day }) => day),
      opens: first?.opens ?? '',
      closes: first?.closes ?? '',
      week: [...hours.week],
      time_zone: hours.timeZone,
      zone_name: zoneName(hours.timeZone, 'fr'),
      zone_name_en: zoneName(hours.timeZone, 'en'),
      utc_offset: utcOffset(hours.timeZone, at),
      next_opening: closes ? null : (nextOpening(hours, at)?.toISOString() ?? null),
      closes_at: closes?.toISOString() ?? null,
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
    tick().catch((error: unknown) => logger.warn({ err: error }, 'closing time could not be kept'))
  }, closingTickMs)
  app.addHook('preClose', async () => clearInterval(timer))
}

/** Returns whether anybody became unavailable. */
async function endAvailability(db: Database, staff: StaffNamespace, now: Date) {
  const closed = lastClosing(await findChatHours(db), now)
  if (!closed) return false
  const stale = and(eq(technicians.available, true), lt(technicians.since, new Date(closed.getTime() - closingWarningMs)))
  const left = await db.update(technicians).set({ available: false }).where(stale).returning({ id: technicians.userId })
  for (const { id } of left) {
    staff.in(userRoom(id)).socketsLeave(availableRoom)
    emitAvailability(staff, id, { available: false, until: null })
  }
  return left.length > 0
}
