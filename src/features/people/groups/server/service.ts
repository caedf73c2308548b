import { asc, count, eq, and, isNotNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Area, Rights } from '#src/lib/rights.ts'
import { completeRights, coversRights, hasRight } from '#src/lib/rights.ts'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { Group, GroupInput } from '../../contract.ts'
import { users, groups } from '../../server/table.ts'
import type { Actor } from '../../sign-in/server/sessions.ts'

type Row = typeof groups.$inferSelect
type Context = Pick<App, 'db' | 'areas'>

export async function findAllGroups(db: Database): Promise<Group[]> {
  const rows = await db
    .select({ group: groups, userCount: count(users.id) })
    .from(groups)
    .leftJoin(users, eq(users.groupId, groups.id))
    .groupBy(groups.id)
    .orderBy(asc(groups.name))
  return rows.map((row) => toGroup(row.group, row.userCount))
}

export async function findGroup(db: Database, id: number): Promise<Group> {
  const [group] = await db.select().from(groups).where(eq(groups.id, id))
  if (!group) throw new NotFound('This group does not exist.')
  return toGroup(group, await db.$count(users, eq(users.groupId, id)))
}

export async function createGroup({ db, areas }: Context, actor: Actor, author: Author, input: GroupInput) {
  return changeKeepingAdministrator(db, async (tx) => {
    refuseChangeOfRights(actor, emptyGroup, input)
    await checkNameIsFree(tx, input.name)
    const [row] = await tx.insert(groups).values(toRow(areas, input)).returning()
    if (!row) throw new Error('the group was not stored')
    const after = toGroup(row, 0)
    await recordChange(tx, author, { area: 'groups', action: 'create', entryId: row.id, after })
    return after
  })
}

export async function updateGroup({ db, areas }: Context, actor: Actor, author: Author, id: number, input: GroupInput) {
  return changeKeepingAdministrator(db, async (tx) => {
    const before = await findGroup(tx, id)
    checkGrantable(actor, before.rights)
    refuseChangeOfRights(actor, before, input)
    if (input.version !== undefined && input.version !== before.version) {
      const refused = { ...before, ...input, version: before.version }
      throw await RefusedVersion.of(tx, author, { area: 'groups', entryId: id, before, after: refused })
    }
    await checkNameIsFree(tx, input.name, id)
    const [row] = await tx
      .update(groups)
      .set({ ...toRow(areas, input), version: before.version + 1, updatedAt: new Date() })
      .where(eq(groups.id, id))
      .returning()
    if (!row) throw new NotFound('This group does not exist.')
    const after = toGroup(row, before.user_count)
    await recordChange(tx, author, { area: 'groups', action: 'update', entryId: id, before, after })
    return after
  })
}

export async function deleteGroup(db: Database, actor: Actor, author: Author, id: number) {
  await changeKeepingAdministrator(db, async (tx) => {
    const before = await findGroup(tx, id)
    checkGrantable(actor, before.rights)
    if (before.user_count > 0)
      throw new Conflict('This group still has members. Move them to another group first.', { reason: 'in use' })
    await tx.delete(groups).where(eq(groups.id, id))
    await recordChange(tx, author, { area: 'groups', action: 'delete', entryId: id, before })
  })
}

/** Throws where a user grants or removes rights that they do not hold. */
export function checkGrantable(actor: Actor, rights: Partial<Rights>) {
  if (!coversRights(actor.rights, rights)) throw new Forbidden('This group has rights that you do not have yourself.')
}

const emptyGroup = { enabled: true, requires_totp: false, rights: {} }

/** Changing rights requires `groups administrator`; changing the name requires write access. */
function refuseChangeOfRights(actor: Actor, before: AccessRules, input: GroupInput) {
  if (hasSameRights(before, input)) return
  if (!hasRight(actor.rights, 'groups', 'administrator'))
    throw new Forbidden('Only an administrator of groups may change the rights of a group.')
  checkGrantable(actor, input.rights)
}

type AccessRules = Pick<Group, 'enabled' | 'requires_totp' | 'rights'>

function hasSameRights(before: AccessRules, input: GroupInput) {
  const isSame = coversRights(before.rights, input.rights) && coversRights(input.rights, before.rights)
  return isSame && input.enabled === before.enabled && input.requires_totp === before.requires_totp
}

/** True where a save of a group changes more than its name. */
export async function changesRights({ server, params, body }: FastifyRequest) {
  return !hasSameRights(await findGroup(server.db, (params as { id: number }).id), body as GroupInput)
}

async function checkNameIsFree(tx: Database, name: string, except?: number) {
  const [taken] = await tx.select({ id: groups.id }).from(groups).where(eq(groups.name, name))
  if (taken && taken.id !== except)
    throw new Conflict('Another group has this name.', { errors: [{ path: 'name', message: 'taken' }] })
}

function toRow(areas: readonly Area[], input: GroupInput) {
  const unknown = Object.keys(input.rights).find((area) => !areas.some((one) => one === area))
  if (unknown) throw new Invalid('This area does not exist.', [{ path: `rights.${unknown}`, message: 'unknown area' }])
  return {
    name: input.name,
    enabled: input.enabled,
    requiresTotp: input.requires_totp,
    rights: completeRights(areas, input.rights),
  }
}

function toGroup(row: Row, userCount: number): Group {
  return {
    id_group: row.id,
    name: row.name,
    enabled: row.enabled,
    requires_totp: row.requiresTotp,
    rights: row.rights,
    user_count: userCount,
    version: row.version,
  }
}

/**
 * Grants an area added by an update to the groups that administer groups, at the start. Without these first holders nobody
 * could ever grant it, since users can only grant rights that they hold.
 */
export async function grantNewAreas(db: Database, areas: readonly Area[]) {
  await db.transaction(async (tx) => {
    for (const { id, rights } of await tx.select().from(groups).for('update')) {
      const added = areas.filter((area) => !(area in rights))
      if (added.length === 0) continue
      const level = hasRight(rights, 'groups', 'administrator') ? 'administrator' : 'none'
      await tx
        .update(groups)
        .set({ rights: { ...rights, ...Object.fromEntries(added.map((area) => [area, level])) } })
        .where(eq(groups.id, id))
    }
  })
}

/** Lock of every change of users or rights, so that two changes cannot each remove one of the last two administrators. */
const rightsLock = 7_148_305

/**
 * Runs a change of users or rights, one at a time; rolls back with a `Conflict` where no administrator of users and groups
 * would remain. Data that the change depends on must be read inside it.
 */
export async function changeKeepingAdministrator<T>(db: Database, change: (tx: Database) => Promise<T>): Promise<T> {
  const work = async (tx: Database) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${rightsLock})`)
    const result = await change(tx)
    if (!(await hasAdministrator(tx)))
      throw new Conflict('The last administrator cannot be locked, deleted or lose these rights.', {
        reason: 'last administrator',
      })
    return result
  }
  return db.transaction(work).catch(keepRefused(db))
}

/** Users who can sign in; pending invitations do not count. */
async function hasAdministrator(tx: Database) {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(
      and(
        eq(users.locked, false),
        isNotNull(users.passwordHash),
        eq(groups.enabled, true),
        sql`${groups.rights}->>'users' = 'administrator'`,
        sql`${groups.rights}->>'groups' = 'administrator'`,
      ),
    )
    .limit(1)
  return found.length > 0
}
