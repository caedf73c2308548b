import { count, eq, inArray } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { onRemoteChange, touchSocket } from '#src/server/cluster/remote-sockets.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import { findOpenSessions } from '#src/features/people/sign-in/server/sessions.ts'
import { groups } from '#src/features/people/groups/server/table.ts'
import { hasRight } from '#src/lib/rights.ts'
import { users } from '#src/features/people/users/server/table.ts'
import type { StaffPresence } from '../protocol.ts'
import type { StaffNamespace, StaffSocket } from './namespaces.ts'
import { findConsoles } from './namespaces.ts'
import { chats, technicians } from './table.ts'
import { availableRoom, emitAvailability, userRoom } from './availability.ts'

const tickMs = 5_000
const gatherMs = 100

/** Everybody who is online with the right, available or not, with their number of chats; several tabs count once. */
export async function findStaffPresence(db: Database, staff: StaffNamespace): Promise<StaffPresence[]> {
  const answered = await db
    .select({ userId: chats.userId, count: count() })
    .from(chats)
    .where(eq(chats.status, 'claimed'))
    .groupBy(chats.userId)
  const people = new Map<number, StaffPresence>()
  for (const { userId, userName, canAnswer, rooms } of findConsoles(staff)) {
    people.set(userId, {
      id_user: userId,
      user_name: userName,
      available: rooms.has(availableRoom),
      can_answer: canAnswer,
      chats: answered.find((one) => one.userId === userId)?.count ?? 0,
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

/** Applies changed rights to connected consoles within seconds, without a new sign-in. */
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
  const rights = await findRights(
    db,
    sockets.map((socket) => socket.data.userId),
  )
  let isChanged = false
  for (const socket of sockets) {
    const { userId, canAnswer } = socket.data
    const own = rights.get(userId) ?? {}
    if (!hasRight(own, 'chat', 'read_only')) socket.disconnect(true)
    const mayAnswer = hasRight(own, 'chat', 'read_write')
    if (mayAnswer === canAnswer) continue
    isChanged = true
    socket.data.canAnswer = mayAnswer
    touchSocket(staff, socket.id)
    if (!mayAnswer) await leave(db, staff, socket)
  }
  return isChanged
}

async function findRights(db: Database, ids: number[]) {
  const rows = await db
    .select({ id: users.id, locked: users.locked, enabled: groups.enabled, rights: groups.rights })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, locked, enabled, rights }) => [id, enabled && !locked ? rights : {}]))
}

/** Without the right to answer a person becomes unavailable, and stays so when the right returns. */
async function leave(db: Database, staff: StaffNamespace, { data: { userId } }: StaffSocket) {
  await db.update(technicians).set({ available: false }).where(eq(technicians.userId, userId))
  staff.in(userRoom(userId)).socketsLeave(availableRoom)
  emitAvailability(staff, userId, { available: false, until: null })
}
