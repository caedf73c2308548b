import { eq, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Limits } from '#src/server/limits.ts'
import { Limited, NotConnected } from '#src/server/problems.ts'
import { completeRights } from '../../groups/values.ts'
import { groups } from '../../groups/server/table.ts'
import { users } from '../../users/server/table.ts'
import type { Profile } from '../contract.ts'
import { isPasswordRight } from './passwords.ts'
import { closeSession, findPendingUser, openSession } from './sessions.ts'
import { isCodeRight } from './totp.ts'

const quarterHour = 900
const perAddress = { points: 30, seconds: quarterHour }
const perAccountAndAddress = { points: 5, seconds: quarterHour }
const perAccount = { points: 50, seconds: quarterHour }
/** While strangers try many passwords on an account, an address gets this many tries, so that its owner still gets in. */
const triesUnderAttack = 2

type From = { address: string; userAgent: string }
type LoggedIn = { sessionId: string; profile: Profile | null }

/**
 * Checks a name and a password and opens a session; the same refusal, in the same time, whatever was wrong.
 * `profile` is null where the second factor is still awaited.
 */
export async function logIn(db: Database, limits: Limits, credentials: { username: string; password: string }, from: From): Promise<LoggedIn> {
  const account = credentials.username.toLowerCase()
  const place = `${account}\n${from.address}`
  await limits.take('login-address', from.address, perAddress)
  await limits.take('login-place', place, perAccountAndAddress)
  const triesHere = await limits.used('login-place', place, perAccountAndAddress)
  const triesOnAccount = await limits.used('login-account', account, perAccount)
  if (triesOnAccount >= perAccount.points && triesHere > triesUnderAttack) throw new Limited(quarterHour)

  const [user] = await db.select().from(users).where(eq(sql`lower(${users.username})`, account))
  const right = await isPasswordRight(user?.passwordHash, credentials.password)
  if (!user || !right || user.locked) {
    await limits.take('login-account', account, perAccount).catch((error: unknown) => {
      if (!(error instanceof Limited)) throw error
    })
    throw new NotConnected('The user name or the password is wrong.')
  }
  await limits.forget('login-place', place, perAccountAndAddress)
  if (user.totpEnabled) return { sessionId: await openSession(db, user.id, from, true), profile: null }
  return enter(db, user.id, from)
}

/** Second step of the log-in: a code or a recovery code, for the session that awaits it. */
export async function confirmLogIn(db: Database, pendingSession: string | undefined, code: string, from: From): Promise<LoggedIn> {
  const userId = await findPendingUser(db, pendingSession)
  if (!pendingSession || userId === null || !(await isCodeRight(db, userId, code))) throw new NotConnected('The code is wrong.')
  await closeSession(db, pendingSession)
  return enter(db, userId, from)
}

async function enter(db: Database, userId: number, from: From) {
  await db.update(users).set({ lastLoginAt: new Date() }).where(eq(users.id, userId))
  return { sessionId: await openSession(db, userId, from), profile: await findProfile(db, userId) }
}

export async function findProfile(db: Database, userId: number): Promise<Profile> {
  const [row] = await db.select().from(users).innerJoin(groups, eq(groups.id, users.groupId)).where(eq(users.id, userId))
  if (!row) throw new NotConnected()
  const { users: user, groups: group } = row
  return {
    id_user: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    display_name: user.displayName,
    email: user.email,
    username: user.username,
    image_url: user.imageUrl,
    color: user.color,
    group: group.name,
    rights: completeRights(group.enabled ? group.rights : {}),
    totp_enabled: user.totpEnabled,
    totp_required: group.requiresTotp && !user.totpEnabled,
    update_alert: null,
  }
}
