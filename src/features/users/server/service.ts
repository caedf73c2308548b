import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Author } from '#src/server/journal.ts'
import { recordChange } from '#src/server/journal.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import { hashPassword } from '../../auth/server/passwords.ts'
import type { Actor } from '../../auth/server/sessions.ts'
import { closeSessionsOf } from '../../auth/server/sessions.ts'
import { removeTotp } from '../../auth/server/totp.ts'
import { keepingAnAdministrator } from '../../groups/server/administrators.ts'
import { refuseMoreThanOwn } from '../../groups/server/service.ts'
import { groups } from '../../groups/server/table.ts'
import type { User, UserInput } from '../contract.ts'
import { refuseCommonPassword } from './password-rules.ts'
import { totpChances, users } from './table.ts'

type Row = { users: typeof users.$inferSelect; groups: typeof groups.$inferSelect }

const withGroup = (db: Database) => db.select().from(users).innerJoin(groups, eq(groups.id, users.groupId))

export async function findAllUsers(db: Database): Promise<User[]> {
  return (await withGroup(db).orderBy(asc(users.username))).map(toUser)
}

export async function findUser(db: Database, id: number): Promise<User> {
  return toUser(await findRow(db, id))
}

/** Creates a person without a password: they choose one by the link of their invitation. */
export async function createUser(db: Database, actor: Actor, author: Author, input: UserInput) {
  await refuseGroupBeyond(db, actor, input.id_group)
  const id = await db.transaction(async (tx) => {
    await refuseTakenName(tx, input.username)
    const [row] = await tx.insert(users).values(toRow(input)).returning({ id: users.id })
    if (!row) throw new Error('the user was not stored')
    await recordChange(tx, author, { area: 'users', action: 'create', entryId: row.id, after: input })
    return row.id
  })
  return findUser(db, id)
}

export async function updateUser(db: Database, actor: Actor, author: Author, id: number, input: UserInput) {
  const before = await findWithin(db, actor, id)
  await refuseGroupBeyond(db, actor, input.id_group)
  if (input.version !== undefined && input.version !== before.version) {
    throw new Conflict('Someone else saved this user in the meantime.', { current: before })
  }
  await keepingAnAdministrator(db, async (tx) => {
    await refuseTakenName(tx, input.username, id)
    await tx
      .update(users)
      .set({ ...toRow(input), version: before.version + 1, updatedAt: new Date() })
      .where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'update', entryId: id, before, after: input })
  })
  return findUser(db, id)
}

export async function deleteUser(db: Database, actor: Actor, author: Author, id: number) {
  const before = await findWithin(db, actor, id)
  return keepingAnAdministrator(db, async (tx) => {
    const ended = await closeSessionsOf(tx, id)
    await tx.delete(users).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'delete', entryId: id, before })
    return ended
  })
}

/** Locks or unlocks; answers the sessions that ended. */
export async function setUserLocked(db: Database, actor: Actor, author: Author, id: number, locked: boolean) {
  await findWithin(db, actor, id)
  return keepingAnAdministrator(db, async (tx) => {
    await tx.update(users).set({ locked, updatedAt: new Date() }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: locked ? 'lock' : 'unlock', entryId: id })
    return locked ? closeSessionsOf(tx, id) : []
  })
}

export async function resetUserTotp(db: Database, actor: Actor, author: Author, id: number) {
  await findWithin(db, actor, id)
  return db.transaction(async (tx) => {
    await removeTotp(tx, id)
    await recordChange(tx, author, { area: 'users', action: 'reset 2FA', entryId: id })
    return closeSessionsOf(tx, id)
  })
}

export async function resetUserTotpChances(db: Database, actor: Actor, author: Author, id: number) {
  await findWithin(db, actor, id)
  await db.transaction(async (tx) => {
    await tx.update(users).set({ totpChances }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'reset 2FA chances', entryId: id })
  })
}

export async function setUserPassword(db: Database, actor: Actor, author: Author, id: number, password: string) {
  const user = await findWithin(db, actor, id)
  refuseCommonPassword(password, user.username)
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash, updatedAt: new Date() }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'change password', entryId: id })
    return closeSessionsOf(tx, id)
  })
}

/** The user, where the actor holds at least the user's own rights: nobody takes over who may do more. */
async function findWithin(db: Database, actor: Actor, id: number) {
  const row = await findRow(db, id)
  if (row.users.id !== actor.userId) refuseMoreThanOwn(actor, row.groups.rights)
  return toUser(row)
}

async function findRow(db: Database, id: number) {
  const [row] = await withGroup(db).where(eq(users.id, id))
  if (!row) throw new NotFound('This user does not exist.')
  return row
}

async function refuseGroupBeyond(db: Database, actor: Actor, groupId: number) {
  const [group] = await db.select().from(groups).where(eq(groups.id, groupId))
  if (!group) throw new Invalid('This group does not exist.', [{ path: 'id_group', message: 'unknown group' }])
  refuseMoreThanOwn(actor, group.rights)
}

async function refuseTakenName(tx: Database, username: string, except?: number) {
  const [taken] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()))
  if (taken && taken.id !== except) throw new Conflict('Another user has this user name.')
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
  }
}

function toUser({ users: user, groups: group }: Row): User {
  return {
    id_user: user.id,
    username: user.username,
    first_name: user.firstName,
    last_name: user.lastName,
    display_name: user.displayName,
    email: user.email,
    color: user.color,
    image_url: user.imageUrl,
    id_group: group.id,
    group: group.name,
    locked: user.locked,
    invited: user.passwordHash === null,
    totp_enabled: user.totpEnabled,
    totp_chances: user.totpChances,
    created_date: user.createdAt.toISOString(),
    updated_date: user.updatedAt.toISOString(),
    last_login: user.lastLoginAt?.toISOString() ?? null,
    version: user.version,
  }
}
