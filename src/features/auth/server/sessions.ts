import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt, or } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Rights } from '../../groups/contract.ts'
import { groups } from '../../groups/server/table.ts'
import { users } from '../../users/server/table.ts'
import { sessions } from './table.ts'

const hour = 3_600_000
/** contract.md 1: idle 8 h, absolute 24 h. */
export const sessionIdleMs = 8 * hour
export const sessionAbsoluteMs = 24 * hour
// Writing at each request would cost a commit a request.
const touchEveryMs = 60_000

export type Actor = {
  userId: number
  username: string
  displayName: string
  imageUrl: string | null
  color: string
  rights: Rights
  sessionHash: string
}

export function hashSessionId(sessionId: string) {
  return createHash('sha256').update(sessionId).digest('hex')
}

/** Opens a session and answers the secret that goes into the cookie. */
export async function openSession(db: Database, userId: number, from: { address: string; userAgent: string }) {
  const sessionId = randomBytes(32).toString('base64url')
  await db.insert(sessions).values({ idHash: hashSessionId(sessionId), userId, address: from.address, userAgent: from.userAgent.slice(0, 300) })
  return sessionId
}

export async function closeSession(db: Database, sessionId: string) {
  await db.delete(sessions).where(eq(sessions.idHash, hashSessionId(sessionId)))
}

/** Who holds this session now, with the rights of this moment; null where it is over or the person is locked. */
export async function findActor(db: Database, sessionId: string | undefined): Promise<Actor | null> {
  if (!sessionId || sessionId.length > 100) return null
  const sessionHash = hashSessionId(sessionId)
  const now = Date.now()
  const [row] = await db
    .select({ session: sessions, user: users, group: groups })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(
      and(
        eq(sessions.idHash, sessionHash),
        gt(sessions.lastSeenAt, new Date(now - sessionIdleMs)),
        gt(sessions.createdAt, new Date(now - sessionAbsoluteMs)),
        eq(users.locked, false),
      ),
    )
  if (!row) return null
  if (now - row.session.lastSeenAt.getTime() > touchEveryMs) {
    await db.update(sessions).set({ lastSeenAt: new Date(now) }).where(eq(sessions.idHash, sessionHash))
  }
  return {
    userId: row.user.id,
    username: row.user.username,
    displayName: row.user.displayName,
    imageUrl: row.user.imageUrl,
    color: row.user.color,
    rights: row.group.enabled ? row.group.rights : ({} as Rights),
    sessionHash,
  }
}

/** Removes sessions that are over; run nightly. */
export async function purgeSessions(db: Database) {
  const now = Date.now()
  await db
    .delete(sessions)
    .where(or(lt(sessions.lastSeenAt, new Date(now - sessionIdleMs)), lt(sessions.createdAt, new Date(now - sessionAbsoluteMs))))
}
