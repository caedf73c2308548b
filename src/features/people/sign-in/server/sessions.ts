import { and, asc, desc, eq, gt, inArray, lt, ne, or } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash, randomBytes } from 'node:crypto'
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
/** How long a right password waits for its code. */
const pendingMs = hour / 6
// Writing at each request would cost a commit a request.
const touchEveryMs = 60_000
/** One more ends the oldest. */
export const sessionsPerUser = 50

export type Actor = {
  userId: number
  username: string
  displayName: string
  imageUrl: string | null
  color: string
  rights: Rights
  sessionHash: string
  authenticatedAt: Date
  /** The group requires two-factor and the person has none yet: only the profile is open until it is set up. */
  mustSetUpTotp: boolean
}

export type From = { address: string; userAgent: string }

export function hashSessionId(sessionId: string) {
  return createHash('sha256').update(sessionId).digest('hex')
}

/** Opens a session; answers the secret that goes into the cookie, and the sessions that ended to make room. */
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

/** Who holds this session now, with the rights of this moment; null where it is over or the person is locked. */
export async function findActor(db: Database, sessionId: string | undefined): Promise<Actor | null> {
  if (!sessionId || sessionId.length > 100) return null
  return findActorByHash(db, hashSessionId(sessionId))
}

/** The same by session hash: a socket checks it at each event. */
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

/** Which of these sessions still stand. */
export async function findOpenSessions(db: Database, hashes: string[]) {
  if (hashes.length === 0) return new Set<string>()
  const rows = await db
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(and(inArray(sessions.idHash, hashes), isAlive()))
  return new Set(hashesOf(rows))
}

/** Ends sessions of a person and answers their hashes, for the sockets to be closed; `except` stays open. */
export async function closeSessionsOf(db: Database, userId: number, except?: string) {
  return hashesOf(
    await db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), except ? ne(sessions.idHash, except) : undefined))
      .returning({ idHash: sessions.idHash }),
  )
}

/** Ends one session of a person by its hash; answers whether there was one. */
export async function closeSessionByHash(db: Database, userId: number, idHash: string) {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.idHash, idHash)))
    .returning({ idHash: sessions.idHash })
  return ended.length > 0
}

/** Ends the session of a cookie; answers whether there was one. */
export async function closeSession(db: Database, sessionId: string) {
  const ended = await db
    .delete(sessions)
    .where(eq(sessions.idHash, hashSessionId(sessionId)))
    .returning({ idHash: sessions.idHash })
  return ended.length > 0
}

/** Removes what is over; answers the sessions that were open till then, for their sockets to be closed. */
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
  const kept = await db
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(asc(sessions.lastSeenAt), asc(sessions.createdAt))
  const surplus = hashesOf(kept.slice(0, Math.max(0, kept.length - sessionsPerUser)))
  if (surplus.length > 0) await db.delete(sessions).where(inArray(sessions.idHash, surplus))
  return surplus
}

function isAlive() {
  const now = Date.now()
  return and(gt(sessions.lastSeenAt, new Date(now - sessionIdleMs)), gt(sessions.createdAt, new Date(now - sessionAbsoluteMs)))
}

/** Publishes, after the commit, that these sessions are over. */
export function publishEndedSessions(events: Events, hashes: readonly string[]) {
  for (const hash of hashes) events.sessionEnded(hash)
}

const hashesOf = (rows: { idHash: string }[]) => rows.map((row) => row.idHash)

/** From where a session is opened, for its owner to recognize it. */
export function placeOf(request: FastifyRequest) {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
}

/** Gives the browser its session and the XSRF token that goes with it. */
export function setSession(request: FastifyRequest, reply: FastifyReply, sessionId: string) {
  setPrivateCookie(request, reply, sessionCookie, sessionId)
  request.server.xsrf.issue(reply, sessionId, isSecure(request))
}

/** Clears the session cookie and issues an anonymous XSRF token. */
export function clearSession(request: FastifyRequest, reply: FastifyReply) {
  clearPrivateCookie(request, reply, sessionCookie)
  request.server.xsrf.issue(reply, '', isSecure(request))
}

/** Ends the session that the browser had before, if any. */
export async function leaveSession(request: FastifyRequest) {
  const current = readSessionCookie(request)
  if (!current) return
  await closeSession(request.server.db, current)
  request.server.events.sessionEnded(hashSessionId(current))
}
