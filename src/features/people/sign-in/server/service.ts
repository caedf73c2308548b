import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { NotConnected } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { groups, users } from '../../server/table.ts'
import { findUser } from '../../users/server/find-user.ts'
import { notifyAccountChange } from '../../users/server/notices.ts'
import type { Profile } from '../../contract.ts'
import { profile as ownProfile } from '../../contract.ts'
import { countAttempt } from './login-attempts.ts'
import { isPasswordRight } from './passwords.ts'
import type { From } from './sessions.ts'
import { closeSession, findPendingUser, openSession } from './sessions.ts'
import { checkCode } from '../../account/server/totp.ts'

type Credentials = { username: string; password: string; knownBrowser: string | null }
/** `profile` is null while the second factor is pending; `ended` are the sessions closed to make room. */
type LoggedIn = { sessionId: string; profile: Profile | null; ended: string[] }
type Entered = LoggedIn & { profile: Profile }
type ProfileContext = Pick<App, 'db' | 'profileFields'>
type LoginContext = ProfileContext & Pick<App, 'limits'>

/** Checks a username and a password and opens a session; the error and its timing do not reveal what was wrong. */
export async function logIn(app: LoginContext, credentials: Credentials, from: From): Promise<LoggedIn> {
  const { db, limits } = app
  const account = credentials.username.toLowerCase()
  const outcome = await countAttempt(limits, { account, address: from.address, knownBrowser: credentials.knownBrowser })
  const [user] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.username})`, account))
  const right = await isPasswordRight(user?.passwordHash, credentials.password)
  if (!user || !right || user.locked) {
    await outcome.wrong()
    throw new NotConnected('Incorrect username or password.')
  }
  await outcome.right()
  if (user.totpEnabled) return { ...(await openSession(db, user.id, from, true)), profile: null }
  return enter(app, user.id, from)
}

/** Second step of the sign-in: a code or a recovery code for the pending session. */
export async function confirmLogIn(app: App, pendingSession: string | undefined, code: string, from: From): Promise<Entered> {
  const { db } = app
  const userId = await findPendingUser(db, pendingSession)
  if (!pendingSession || userId === null) throw wrongCode()
  const outcome = await checkCode(db, userId, code)
  if (outcome === 'last chance spent') await notifyChancesSpent(app, userId, from)
  // Ending the pending session makes it usable only once.
  if (outcome !== 'right' || !(await closeSession(db, pendingSession))) throw wrongCode()
  return enter(app, userId, from)
}

/** Mails the user and records that their 2FA chances are used up. */
export async function notifyChancesSpent(app: Pick<App, 'db' | 'mailer'>, userId: number, from: From) {
  await app.db.transaction(async (tx) => {
    const user = await findUser(tx, userId)
    const author = { userId, name: user.display_name, address: from.address }
    await recordChange(tx, author, { area: 'users', action: 'use up 2FA chances', entryId: userId })
    await notifyAccountChange(app, tx, user, 'chancesSpent')
  })
}

function wrongCode() {
  return new NotConnected('Incorrect code.')
}

async function enter(app: ProfileContext, userId: number, from: From): Promise<Entered> {
  const { db } = app
  const profile = await findProfile(app, userId)
  const opened = await db.transaction(async (tx) => {
    await tx.update(users).set({ lastLoginAt: new Date() }).where(eq(users.id, userId))
    const author = { userId, name: profile.display_name, address: from.address }
    await recordChange(tx, author, { area: 'users', action: 'sign in', entryId: userId })
    return openSession(tx, userId, from)
  })
  return { ...opened, profile }
}

/** The schema of the profile, with the fields that other features add. */
export function profileSchema({ profileFields }: Pick<App, 'profileFields'>) {
  const added = Object.assign({}, ...profileFields.map(({ shape }) => shape)) as z.ZodRawShape
  return ownProfile.extend(added) as unknown as z.ZodType<Profile, Profile>
}

export async function findProfile({ db, profileFields }: ProfileContext, userId: number): Promise<Profile> {
  const [row] = await db.select().from(users).innerJoin(groups, eq(groups.id, users.groupId)).where(eq(users.id, userId))
  if (!row) throw new NotConnected()
  const { users: user, groups: group } = row
  const own: z.infer<typeof ownProfile> = {
    id_user: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    display_name: user.displayName,
    email: user.email,
    username: user.username,
    image_url: user.imageUrl,
    color: user.color,
    languages: user.languages,
    group: group.name,
    rights: group.enabled ? group.rights : {},
    totp_enabled: user.totpEnabled,
    totp_required: group.requiresTotp && !user.totpEnabled,
    password_set_by_admin: user.passwordSetByAdmin,
  }
  const added = await Promise.all(profileFields.map(({ find }) => find(db)))
  return Object.assign(own, ...added) as Profile
}
