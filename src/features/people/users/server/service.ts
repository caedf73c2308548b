import type { SQL } from 'drizzle-orm'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { coversRights, hasRight } from '#src/lib/rights.ts'
import { RefusedVersion } from '#src/features/content/server/refused-version.ts'
import type { Leaving } from '#src/features/content/server/feature.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { findByWords } from '#src/server/search/stored-texts.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import { Conflict, Forbidden, Invalid } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { removeTotp } from '../../account/server/totp.ts'
import type { HeldWork, LeavingQuery, User, UserInput } from '../../contract.ts'
import { changeKeepingAdministrator, checkGrantable } from '../../groups/server/service.ts'
import { groups, users, totpChances } from '../../server/table.ts'
import { hashPassword, refuseCommonPassword } from '../../sign-in/server/passwords.ts'
import type { Actor } from '../../sign-in/server/sessions.ts'
import { closeSessionsOf } from '../../sign-in/server/sessions.ts'
import type { By } from './find-user.ts'
import { clearLater } from './former-users.ts'
import { findUser, findManageableUser, findUserRow } from './find-user.ts'
import { notifyAccountChange, notifyEmailChange } from './notices.ts'
import { forgetLinks, inviteInTransaction } from './password-links.ts'

/** Groups that a user may assign: those without rights beyond their own. */
export async function findGroupChoices(db: Database, actor: Actor) {
  const all = await db.select().from(groups).orderBy(asc(groups.name))
  return all.map((group) => ({
    id_group: group.id,
    name: group.name,
    enabled: group.enabled,
    may_give: coversRights(actor.rights, group.rights),
  }))
}

/** Creates a user without a password and mails the link by which they choose one. */
export async function createUser(app: App, { actor, author }: By, origin: string, input: UserInput) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    await refuseGroupBeyond(tx, actor, input.id_group)
    await checkNameIsFree(tx, input.username)
    const [row] = await tx.insert(users).values(toRow(input)).returning({ id: users.id })
    if (!row) throw new Error('the user was not stored')
    const created = await findUser(tx, row.id)
    await recordChange(tx, author, { area: 'users', action: 'create', entryId: row.id, after: created })
    return { ...created, invitation: await inviteInTransaction(app, tx, created, origin, author.name) }
  })
}

export async function updateUser(app: App, { actor, author }: By, id: number, input: UserInput) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    const before = await findManageableUser(tx, actor, id)
    if (input.id_group !== before.id_group) await refuseGroupBeyond(tx, actor, input.id_group)
    if (input.email !== before.email) refuseNewEmail(actor, before)
    if (input.version !== undefined && input.version !== before.version) {
      const refused = { ...before, ...input, version: before.version }
      throw await RefusedVersion.of(tx, author, { area: 'users', entryId: id, before, after: refused })
    }
    await checkNameIsFree(tx, input.username, id)
    await tx
      .update(users)
      .set({ ...toRow(input), version: before.version + 1, updatedAt: new Date() })
      .where(eq(users.id, id))
    const after = await findUser(tx, id)
    if (after.email !== before.email) {
      // A link sent to the old address must no longer open the account.
      await forgetLinks(tx, id)
      await notifyEmailChange(app, tx, before, after.email)
    }
    if (after.username !== before.username) await notifyAccountChange(app, tx, after, 'username')
    await recordChange(tx, author, { area: 'users', action: 'update', entryId: id, before, after })
    return after
  })
}

/** True where a save of a user changes how they sign in: the address of password links, or other rights. */
export async function changesAccess({ server, params, body }: FastifyRequest) {
  const input = body as UserInput
  const [stored] = await server.db
    .select({ email: users.email, groupId: users.groupId })
    .from(users)
    .where(eq(users.id, (params as { id: number }).id))
  return stored !== undefined && (stored.email !== input.email || stored.groupId !== input.id_group)
}

export async function deleteUser(app: App, { actor, author }: By, id: number, query: LeavingQuery) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    const before = await findManageableUser(tx, actor, id)
    const ended = await closeSessionsOf(tx, id)
    const leaving = { userId: id, name: before.display_name, isDeleted: true, ...readLeaving(query) }
    const publish = await releaseHeldWork(app, tx, { actor, author }, leaving)
    await tx.delete(users).where(eq(users.id, id))
    await clearLater(app, tx, id)
    await recordChange(tx, author, { area: 'users', action: 'delete', entryId: id, before })
    return { ended, publish }
  })
}

const mostListed = 10

/** What a user holds, and who may take it, for those who may lock or delete the account. */
export async function findHeldWork(app: App, actor: Actor, id: number): Promise<HeldWork> {
  await findManageableUser(app.db, actor, id)
  const held: HeldWork['held'] = []
  const takers = new Map<number, string>()
  for (const { kind, describe, fate, find, findTakers, mayHide } of app.holdings) {
    const { count, rows } = await find(app, id, actor)
    if (count === 0) continue
    const shown = rows.slice(0, mostListed)
    const can = { can_be_given: findTakers !== undefined, can_be_hidden: mayHide?.(actor.rights) ?? false }
    held.push({ kind, count, label: describe(count), fate, ...can, rows: shown })
    for (const { id_user, display_name } of (await findTakers?.(app.db)) ?? []) takers.set(id_user, display_name)
  }
  takers.delete(id)
  return { held, colleagues: [...takers].map(([id_user, display_name]) => ({ id_user, display_name })) }
}

/** Hands over or gives back what a leaving user holds; the result runs after the commit. */
async function releaseHeldWork(app: App, tx: Database, { actor, author }: By, leaving: Leaving) {
  const publishers: (() => Promise<void>)[] = []
  for (const { findTakers, mayHide, release } of app.holdings) {
    const { giveTo, hides } = leaving
    if (hides && mayHide && !mayHide(actor.rights)) throw new Forbidden()
    const mayTake = !giveTo || !findTakers || (await findTakers(tx)).some(({ id_user }) => id_user === giveTo)
    if (!mayTake || giveTo === leaving.userId) {
      throw new Invalid('This user cannot take over this work.', [{ path: 'give_to', message: 'invalid' }])
    }
    publishers.push(await release(app, tx, author, leaving))
  }
  return async () => {
    for (const publish of publishers) await publish()
  }
}

const readLeaving = ({ give_to: giveTo, hide }: LeavingQuery) => ({ giveTo, hides: hide !== undefined })

async function refuseGroupBeyond(tx: Database, actor: Actor, groupId: number) {
  const [group] = await tx.select().from(groups).where(eq(groups.id, groupId))
  if (!group) throw new Invalid('This group does not exist.', [{ path: 'id_group', message: 'unknown group' }])
  checkGrantable(actor, group.rights)
}

/** The owner of the address can request a new password, so changing it requires the right to change the password. */
function refuseNewEmail(actor: Actor, user: User) {
  if (user.id_user === actor.userId) {
    if (user.email === '') return
    throw new Forbidden('Change your own email address in your profile.')
  }
  if (!user.invited && !hasRight(actor.rights, 'users', 'administrator')) {
    throw new Forbidden('Only an administrator of users may change the email address of an active account.')
  }
}

async function checkNameIsFree(tx: Database, username: string, except?: number) {
  const [taken] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()))
  if (taken && taken.id !== except) {
    throw new Conflict('Another user has this username.', { errors: [{ path: 'username', message: 'taken' }] })
  }
}

function toRow(input: UserInput) {
  return {
    username: input.username,
    firstName: input.first_name,
    lastName: input.last_name,
    displayName: input.display_name,
    email: input.email,
    groupId: input.id_group,
    ...(input.color ? { color: input.color } : {}),
    ...(input.languages ? { languages: input.languages } : {}),
    ...(input.id_employe === undefined ? {} : { employeeId: input.id_employe }),
  }
}

/** Locks a user; what they hold goes to others. */
export async function lockUser(app: App, { actor, author }: By, id: number, query: LeavingQuery) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    const { display_name: name } = await findManageableUser(tx, actor, id)
    await tx.update(users).set({ locked: true, updatedAt: new Date() }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'lock', entryId: id })
    await forgetLinks(tx, id)
    const leaving = { userId: id, name, isDeleted: false, ...readLeaving(query) }
    const publish = await releaseHeldWork(app, tx, { actor, author }, leaving)
    return { ended: await closeSessionsOf(tx, id), publish }
  })
}

export async function unlockUser(app: App, { actor, author }: By, id: number) {
  await changeKeepingAdministrator(app.db, async (tx) => {
    await findManageableUser(tx, actor, id)
    await tx.update(users).set({ locked: false, updatedAt: new Date() }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'unlock', entryId: id })
  })
}

export async function resetUserTotp(app: App, { actor, author }: By, id: number) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    const user = await findManageableUser(tx, actor, id)
    await removeTotp(tx, id)
    await recordChange(tx, author, { area: 'users', action: 'reset 2FA', entryId: id })
    await notifyAccountChange(app, tx, user, 'totpOff')
    return closeSessionsOf(tx, id)
  })
}

export async function resetUserTotpChances(app: App, { actor, author }: By, id: number) {
  await changeKeepingAdministrator(app.db, async (tx) => {
    await findManageableUser(tx, actor, id)
    await tx.update(users).set({ totpChances }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'reset 2FA chances', entryId: id })
  })
}

export async function setUserPassword(app: App, { actor, author }: By, id: number, password: string) {
  const { users: named } = await findUserRow(app.db, id)
  await findManageableUser(app.db, actor, id)
  await refuseCommonPassword(password, named)
  const passwordHash = await hashPassword(password)
  return changeKeepingAdministrator(app.db, async (tx) => {
    const user = await findManageableUser(tx, actor, id)
    const passwordSetByAdmin = id !== actor.userId
    await tx.update(users).set({ passwordHash, passwordSetByAdmin, updatedAt: new Date() }).where(eq(users.id, id))
    await forgetLinks(tx, id)
    await recordChange(tx, author, { area: 'users', action: 'change password', entryId: id })
    await notifyAccountChange(app, tx, user, 'password')
    return closeSessionsOf(tx, id)
  })
}

/** Ends all sessions of a user. */
export async function endUserSessions(app: App, { actor, author }: By, id: number) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    await findManageableUser(tx, actor, id)
    await recordChange(tx, author, { area: 'users', action: 'end sessions', entryId: id })
    return closeSessionsOf(tx, id)
  })
}

export async function sendInvitation(app: App, { actor, author }: By, origin: string, id: number) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    const user = await findManageableUser(tx, actor, id)
    await recordChange(tx, author, { area: 'users', action: 'send invitation', entryId: id })
    return inviteInTransaction(app, tx, user, origin, author.name)
  })
}

/** Staff accounts: found and exported here; they are deleted on the users' own page. */
export const userData: PersonalDataKind = {
  kind: 'users',
  find: (db, email) => describeUsers(db, eq(sql`lower(${users.email})`, email)),
  candidates: {
    ids: users.id,
    search: (db, text, most) => {
      const { id, username, firstName, lastName, displayName, email } = users
      return findByWords(db, { id, columns: [username, firstName, lastName, displayName, email] }, text, most)
    },
    describe: (db, ids) => describeUsers(db, inArray(users.id, ids.map(Number))),
  },
  erase: null,
  keptReason: 'staff account',
}

async function describeUsers(db: Database, where: SQL): Promise<Finding[]> {
  const rows = await db.select().from(users).where(where)
  return rows.map((row) => ({
    id: String(row.id),
    at: row.createdAt.toISOString(),
    fields: {
      username: row.username,
      first_name: row.firstName,
      last_name: row.lastName,
      display_name: row.displayName,
      email: row.email,
      languages: row.languages.join(', '),
      last_login: row.lastLoginAt?.toISOString() ?? null,
    },
  }))
}
