import { asc, eq } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Actor } from '../../sign-in/server/sessions.ts'
import { checkGrantable } from '../../groups/server/service.ts'
import { groups, users } from '../../server/table.ts'
import type { User } from '../../contract.ts'

type Row = { users: typeof users.$inferSelect; groups: typeof groups.$inferSelect }

/** The caller: their rights, and their name and address for the audit log. */
export type By = { actor: Actor; author: Author }

const withGroup = (db: Database) => db.select().from(users).innerJoin(groups, eq(groups.id, users.groupId))

export async function findAllUsers(db: Database): Promise<User[]> {
  return (await withGroup(db).orderBy(asc(users.username))).map(toUser)
}

export async function findUser(db: Database, id: number): Promise<User> {
  return toUser(await findUserRow(db, id))
}

/** Finds the user; throws `Forbidden` where the user has a right that the actor lacks (privilege escalation). */
export async function findManageableUser(tx: Database, actor: Actor, id: number) {
  const row = await findUserRow(tx, id)
  if (row.users.id !== actor.userId) checkGrantable(actor, row.groups.rights)
  return toUser(row)
}

export async function findUserRow(db: Database, id: number) {
  const [row] = await withGroup(db).where(eq(users.id, id))
  if (!row) throw new NotFound('This user does not exist.')
  return row
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
    languages: user.languages,
    image_url: user.imageUrl,
    id_employe: user.employeeId,
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
