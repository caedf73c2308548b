import { count, eq, inArray } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import { groups } from '../../groups/server/table.ts'
import { completeRights, hasRight } from '../../groups/values.ts'
import { users } from '../../users/server/table.ts'
import type { StaffPresence } from '../values.ts'
import type { StaffNamespace, StaffSocket } from './namespaces.ts'
import { chats, technicians } from './table.ts'
import { availableRoom, userRoom } from './technicians.ts'

const tickMs = 5_000

/** Everybody at a console, available or not, with the chats they answer; one person with several tabs is one. */
export async function findStaffPresence(db: Database, staff: StaffNamespace): Promise<StaffPresence[]> {
  const answered = await db
    .select({ userId: chats.userId, count: count() })
    .from(chats)
    .where(eq(chats.status, 'claimed'))
    .groupBy(chats.userId)
  const people = new Map<number, StaffPresence>()
  for (const { data, rooms } of await staff.fetchSockets()) {
    people.set(data.userId, {
      id_user: data.userId,
      user_name: data.userName,
      available: rooms.has(availableRoom),
      can_answer: data.canAnswer,
      chats: answered.find((one) => one.userId === data.userId)?.count ?? 0,
    })
  }
  return [...people.values()].toSorted((one, other) => one.user_name.localeCompare(other.user_name))
}

/** Keeps the consoles to the rights of this moment: a right taken away counts within seconds, without a new sign-in. */
export function watchRights(app: App, staff: StaffNamespace, tell: () => Promise<void>) {
  const tick = async () => {
    if (await applyRights(app.db, staff)) await tell()
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => logger.warn({ err: error }, 'the rights of the technicians could not be read'))
  }, tickMs)
  app.addHook('preClose', async () => clearInterval(timer))
}

/** Answers whether anything changed. */
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
    const own = completeRights(rights.get(userId) ?? {})
    if (!hasRight(own, 'chat', 'read_only')) socket.disconnect(true)
    const mayAnswer = hasRight(own, 'chat', 'read_write')
    if (mayAnswer === canAnswer) continue
    isChanged = true
    socket.data.canAnswer = mayAnswer
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

/** Who may answer no more is not available, nor will be by themselves when the right comes back. */
async function leave(db: Database, staff: StaffNamespace, { data: { userId } }: StaffSocket) {
  await db.update(technicians).set({ available: false }).where(eq(technicians.userId, userId))
  staff.in(userRoom(userId)).socketsLeave(availableRoom)
  staff.in(userRoom(userId)).emit('staff:availability', { available: false, until: null })
}
