import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, lt, ne, or } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Rights } from '../../groups/values.ts'
import { completeRights } from '../../groups/values.ts'
import { groups } from '../../groups/server/table.ts'
import { users } from '../../users/server/table.ts'
import { sessions } from './table.ts'

const hour = 3_600_000
/** contract.md 1: idle 8 h, absolute 24 h. */
export const sessionIdleMs = 8 * hour
export const sessionAbsoluteMs = 24 * hour
/** How long a right password waits for its code. */
const pendingMs = hour / 6
// Writing at each request would cost a commit a request.
const touchEveryMs = 60_000

const noRights = completeRights({})

export type Actor = {
  userId: number
  username: string
  displayName: string
  imageUrl: string | null
  color: string
  rights: Rights
  sessionHash: string
  /** The group requires two-factor and the person has none yet: only the profile is open until it is set up. */
  mustSetUpTotp: boolean
}

type From = { address: string; userAgent: string }

export function hashSessionId(sessionId: string) {
  return createHash('sha256').update(sessionId).digest('hex')
}

/** Opens a session and answers the secret that goes into the cookie. */
export async function openSession(db: Database, userId: number, from: From, pending = false) {
  const sessionId = randomBytes(32).toString('base64url')
  const idHash = hashSessionId(sessionId)
  await db.insert(sessions).values({ idHash, userId, pending, address: from.address, userAgent: from.userAgent.slice(0, 300) })
  return sessionId
}

/** Whose second factor this session awaits; null where it awaits none. */
export async function findPendingUser(db: Database, sessionId: string | undefined) {
  if (!sessionId || sessionId.length > 100) return null
  const [row] = await db
    .select({ userId: sessions.userId })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.idHash, hashSessionId(sessionId)),
        eq(sessions.pending, true),
        gt(sessions.createdAt, new Date(Date.now() - pendingMs)),
        eq(users.locked, false),
      ),
    )
  return row?.userId ?? null
}

/** Ends sessions of a person and answers their hashes, for the sockets to be closed; `except` stays open. */
export async function closeSessionsOf(db: Database, userId: number, except?: string) {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except ? ne(sessions.idHash, except) : undefined))
    .returning({ idHash: sessions.idHash })
  return ended.map((session) => session.idHash)
}

export async function findSessionsOf(db: Database, userId: number) {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.pending, false)))
    .orderBy(desc(sessions.lastSeenAt))
}

/** Ends one session of a person by its hash; answers whether there was one. */
export async function closeSessionByHash(db: Database, userId: number, idHash: string) {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.idHash, idHash)))
    .returning({ idHash: sessions.idHash })
  return ended.length > 0
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
        eq(sessions.pending, false),
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
    rights: row.group.enabled ? row.group.rights : noRights,
    sessionHash,
    mustSetUpTotp: row.group.requiresTotp && !row.user.totpEnabled,
  }
}

/** Removes sessions that are over; run nightly. */
export async function purgeSessions(db: Database) {
  const now = Date.now()
  await db
    .delete(sessions)
    .where(or(lt(sessions.lastSeenAt, new Date(now - sessionIdleMs)), lt(sessions.createdAt, new Date(now - sessionAbsoluteMs))))
}
