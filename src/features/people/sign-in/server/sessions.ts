import { and, asc, desc, eq, gt, inArray, lt, ne, or } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash, randomBytes } from 'node:crypto'
import type { Language } from '#src/lib/language/language.ts'
import type { Rights } from '#src/lib/rights.ts'
import type { Database } from '#src/server/database/database.ts'
import { clearPrivateCookie, isSecure, setPrivateCookie } from '#src/server/http/private-cookies.ts'
import { readSessionCookie, sessionCookie } from '#src/server/http/xsrf.ts'
import type { Events } from '#src/server/live/events.ts'
import { groups, users, sessions } from '../../server/table.ts'

const hour = 3_600_000
/** A session ends after 8 idle hours and after 24 hours in all. */
const sessionIdleMs = 8 * hour
const sessionAbsoluteMs = 24 * hour
/** How long a pending second factor stays valid. */
const pendingMs = hour / 6
// Writing at each request would cost one commit per request.
const touchEveryMs = 60_000
/** One more session ends the oldest. */
export const sessionsPerUser = 50

export type Actor = {
  userId: number
  username: string
  displayName: string
  imageUrl: string | null
  color: string
  languages: readonly Language[]
  rights: Rights
  sessionHash: string
  authenticatedAt: Date
  /** The group requires 2FA and the user has none yet: only the profile is accessible until it is set up. */
  mustSetUpTotp: boolean
}

export type From = { address: string; userAgent: string }

export function hashSessionId(sessionId: string) {
  return createHash('sha256').update(sessionId).digest('hex')
}

/** Opens a session; returns the secret for the cookie, and the sessions ended to make room. */
export async function openSession(db: Database, userId: number, from: From, pending = false) {
  const { sessionId, idHash } = newSecret()
  const userAgent = from.userAgent.slice(0, 300)
  await db.insert(sessions).values({ idHash, userId, pending, address: from.address, userAgent, authenticatedAt: new Date() })
  return { sessionId, ended: await closeOldest(db, userId) }
}

function newSecret() {
  const sessionId = randomBytes(32).toString('base64url')
  return { sessionId, idHash: hashSessionId(sessionId) }
}

/** The user whose second factor is pending in this session; null where none is. */
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

/** The user of this session with their current rights; null where it ended or the user is locked. */
export async function findActor(db: Database, sessionId: string | undefined): Promise<Actor | null> {
  if (!sessionId || sessionId.length > 100) return null
  return findActorByHash(db, hashSessionId(sessionId))
}

/** The same by session hash: sockets check it for each event. */
async function findActorByHash(db: Database, sessionHash: string): Promise<Actor | null> {
  const [row] = await db
    .select({ session: sessions, user: users, group: groups })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(and(eq(sessions.idHash, sessionHash), eq(sessions.pending, false), eq(users.locked, false), isAlive()))
  if (!row) return null
  const now = Date.now()
  if (now - row.session.lastSeenAt.getTime() > touchEveryMs) {
    await db
      .update(sessions)
      .set({ lastSeenAt: new Date(now) })
      .where(eq(sessions.idHash, sessionHash))
  }
  return {
    userId: row.user.id,
    username: row.user.username,
    displayName: row.user.displayName,
    imageUrl: row.user.imageUrl,
    color: row.user.color,
    languages: row.user.languages,
    rights: row.group.enabled ? row.group.rights : {},
    sessionHash,
    authenticatedAt: row.session.authenticatedAt,
    mustSetUpTotp: row.group.requiresTotp && !row.user.totpEnabled,
  }
}

export async function findSessionsOf(db: Database, userId: number) {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.pending, false), isAlive()))
    .orderBy(desc(sessions.lastSeenAt))
}

/** Renews the session after a fresh proof of identity; returns the new secret. */
export async function renewSession(db: Database, sessionHash: string) {
  const { sessionId, idHash } = newSecret()
  await db.update(sessions).set({ idHash, authenticatedAt: new Date() }).where(eq(sessions.idHash, sessionHash))
  return { sessionId, idHash }
}

/** Returns those of these sessions that are still valid. */
export async function findOpenSessions(db: Database, hashes: string[]) {
  if (hashes.length === 0) return new Set<string>()
  const rows = await db
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(and(inArray(sessions.idHash, hashes), isAlive()))
  return new Set(hashesOf(rows))
}

/** Which of these users are signed in somewhere. */
export async function findSignedIn(db: Database, userIds: number[]) {
  if (userIds.length === 0) return new Set<number>()
  const rows = await db
    .selectDistinct({ userId: sessions.userId })
    .from(sessions)
    .where(and(inArray(sessions.userId, userIds), eq(sessions.pending, false), isAlive()))
  return new Set(rows.map(({ userId }) => userId))
}

/** Ends the sessions of a user except `except`, and returns their hashes so that their sockets can be closed. */
export async function closeSessionsOf(db: Database, userId: number, except?: string) {
  return hashesOf(
    await db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), except ? ne(sessions.idHash, except) : undefined))
      .returning({ idHash: sessions.idHash }),
  )
}

/** Ends one session of a user by its hash; returns whether there was one. */
export async function closeSessionByHash(db: Database, userId: number, idHash: string) {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.idHash, idHash)))
    .returning({ idHash: sessions.idHash })
  return ended.length > 0
}

/** Ends the session of a cookie; returns whether there was one. */
export async function closeSession(db: Database, sessionId: string) {
  const ended = await db
    .delete(sessions)
    .where(eq(sessions.idHash, hashSessionId(sessionId)))
    .returning({ idHash: sessions.idHash })
  return ended.length > 0
}

/** Deletes expired sessions; returns those that just ended, so that their sockets can be closed. */
export async function purgeSessions(db: Database) {
  const now = Date.now()
  return hashesOf(
    await db
      .delete(sessions)
      .where(
        or(
          lt(sessions.lastSeenAt, new Date(now - sessionIdleMs)),
          lt(sessions.createdAt, new Date(now - sessionAbsoluteMs)),
          and(eq(sessions.pending, true), lt(sessions.createdAt, new Date(now - pendingMs))),
        ),
      )
      .returning({ idHash: sessions.idHash }),
  )
}

async function closeOldest(db: Database, userId: number) {
  const openSessions = await db
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(asc(sessions.lastSeenAt), asc(sessions.createdAt))
  const surplus = hashesOf(openSessions.slice(0, Math.max(0, openSessions.length - sessionsPerUser)))
  if (surplus.length > 0) await db.delete(sessions).where(inArray(sessions.idHash, surplus))
  return surplus
}

function isAlive() {
  const now = Date.now()
  return and(gt(sessions.lastSeenAt, new Date(now - sessionIdleMs)), gt(sessions.createdAt, new Date(now - sessionAbsoluteMs)))
}

/** Publishes, after the commit, that these sessions ended. */
export function publishEndedSessions(events: Events, hashes: readonly string[]) {
  for (const hash of hashes) events.sessionEnded(hash)
}

const hashesOf = (rows: { idHash: string }[]) => rows.map((row) => row.idHash)

/** Browser and address of a new session, by which its owner recognizes it. */
export function placeOf(request: FastifyRequest) {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
}

/** Sets the session cookie and its XSRF token. */
export function setSession(request: FastifyRequest, reply: FastifyReply, sessionId: string) {
  setPrivateCookie(request, reply, sessionCookie, sessionId)
  request.server.xsrf.issue(reply, sessionId, isSecure(request))
}

/** Clears the session cookie and issues an anonymous XSRF token. */
export function clearSession(request: FastifyRequest, reply: FastifyReply) {
  clearPrivateCookie(request, reply, sessionCookie)
  request.server.xsrf.issue(reply, '', isSecure(request))
}

/** Ends the session that the browser had before, if any; returns its user. */
export async function leaveSession(request: FastifyRequest) {
  const current = readSessionCookie(request)
  if (!current) return null
  const idHash = hashSessionId(current)
  const [ended] = await request.server.db
    .delete(sessions)
    .where(eq(sessions.idHash, idHash))
    .returning({ userId: sessions.userId, pending: sessions.pending })
  request.server.events.sessionEnded(idHash)
  return ended && !ended.pending ? ended.userId : null
}
