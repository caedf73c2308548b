import { eq, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Limits } from '#src/server/limits.ts'
import { Limited, NotConnected } from '#src/server/problems.ts'
import type { Rights } from '../../groups/contract.ts'
import { groups } from '../../groups/server/table.ts'
import { users } from '../../users/server/table.ts'
import type { Profile } from '../contract.ts'
import { isPasswordRight } from './passwords.ts'
import { openSession } from './sessions.ts'

const quarterHour = 900
const perAddress = { points: 30, seconds: quarterHour }
const perAccountAndAddress = { points: 5, seconds: quarterHour }
const perAccount = { points: 50, seconds: quarterHour }
/** While strangers try many passwords on an account, an address gets this many tries, so that its owner still gets in. */
const triesUnderAttack = 2

type From = { address: string; userAgent: string }

/** Checks a name and a password and opens a session; the same refusal, in the same time, whatever was wrong. */
export async function logIn(db: Database, limits: Limits, credentials: { username: string; password: string }, from: From) {
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
  return { sessionId: await openSession(db, user.id, from), profile: await findProfile(db, user.id) }
}

export async function findProfile(db: Database, userId: number): Promise<Profile> {
  const [row] = await db.select().from(users).innerJoin(groups, eq(groups.id, users.groupId)).where(eq(users.id, userId))
  if (!row) throw new NotConnected()
  return {
    id_user: row.users.id,
    first_name: row.users.firstName,
    last_name: row.users.lastName,
    display_name: row.users.displayName,
    email: row.users.email,
    username: row.users.username,
    image_url: row.users.imageUrl,
    group: row.groups.name,
    rights: row.groups.enabled ? row.groups.rights : ({} as Rights),
    totp_enabled: false,
    update_alert: null,
  }
}
