import { eq, sql } from 'drizzle-orm'
import { groups, users } from '#src/features/people/server/table.ts'
import { coversRights } from '#src/lib/rights.ts'
import type { Database } from '#src/server/database/database.ts'
import { query } from './archive.ts'

type OwnGroup = typeof groups.$inferSelect & { asideId: number }
type OwnUser = typeof users.$inferSelect & { asideId: number }
export type Own = { groups: OwnGroup[]; users: OwnUser[] }

/** Far above every id of an export, and below the end of the type. */
const aside = 1_500_000_000

/** Moves the users and groups of this product out of the way of those with the same ids and names. */
export async function setOwnAside(tx: Database): Promise<Own> {
  const ownGroups = (await tx.select().from(groups)).map((one, at) => ({ ...one, asideId: aside + at }))
  const ownUsers = (await tx.select().from(users)).map((one, at) => ({ ...one, asideId: aside + at }))
  for (const { id, asideId } of ownGroups) await move(tx, 'groups', id, { id: asideId, name: `aside ${asideId}` })
  for (const { id, asideId } of ownUsers) await move(tx, 'users', id, { id: asideId, username: `aside ${asideId}` })
  return { groups: ownGroups, users: ownUsers }
}

/**
 * Joins them with those of the export that have the same name, or gives them the next id. Nobody loses a right that they had here:
 * a group of the same name that gives less stays beside theirs. Returns their ids, and the number of those that were joined.
 */
export async function placeOwnUsers(tx: Database, own: Own) {
  let joined = 0
  const ids = { users: [] as number[], groups: [] as number[] }
  for (const { asideId, name, rights } of own.groups) {
    const [found] = await tx.select().from(groups).where(eq(groups.name, name))
    if (found?.enabled && coversRights(found.rights, rights)) {
      await merge(tx, 'groups', asideId, found.id)
      ids.groups.push(found.id)
      joined += 1
      continue
    }
    const id = await nextId(tx, 'groups')
    await move(tx, 'groups', asideId, { id, name: found ? await freeName(tx, name) : name })
    ids.groups.push(id)
  }
  for (const { asideId, username } of own.users) {
    const [user] = await tx.select().from(users).where(eq(users.id, asideId))
    const [found] = await tx
      .select({ user: users, group: groups })
      .from(users)
      .innerJoin(groups, eq(users.groupId, groups.id))
      .where(sql`lower(${users.username}) = lower(${username})`)
    if (!user) continue
    if (!found) {
      const id = await nextId(tx, 'users')
      await move(tx, 'users', asideId, { id, username })
      ids.users.push(id)
      continue
    }
    const [group] = await tx.select().from(groups).where(eq(groups.id, user.groupId))
    const isEnough = found.group.enabled && (!group || coversRights(found.group.rights, group.rights))
    const { passwordHash, passwordSetByAdmin, locked, totpSecret, totpEnabled, totpChances, totpLastStep } = user
    await tx
      .update(users)
      .set({
        ...{ passwordHash, passwordSetByAdmin, locked, totpSecret, totpEnabled, totpChances, totpLastStep },
        ...(!isEnough && { groupId: user.groupId }),
      })
      .where(eq(users.id, found.user.id))
    // The trigger took the change for one of staff.
    await tx.update(users).set({ imported: found.user.imported }).where(eq(users.id, found.user.id))
    await merge(tx, 'users', asideId, found.user.id)
    ids.users.push(found.user.id)
    joined += 1
  }
  return { joined, ...ids }
}

async function nextId(tx: Database, table: 'users' | 'groups') {
  const [found] = await query<{ id: number }>(tx, sql`select nextval(pg_get_serial_sequence(${table}, 'id'))::int as id`)
  return found?.id ?? 0
}

async function freeName(tx: Database, name: string) {
  for (let number = 2; ; number += 1) {
    const free = `${name} (${number})`
    if ((await tx.$count(groups, eq(groups.name, free))) === 0) return free
  }
}

/** Gives a row another id, with everything that refers to it. */
async function move(tx: Database, table: 'users' | 'groups', from: number, values: { id: number } & Record<string, unknown>) {
  const name = sql.identifier(table)
  await tx.execute(sql`insert into ${name} select (jsonb_populate_record(null::${name}, to_jsonb(own) || ${JSON.stringify(values)}::jsonb)).*
    from ${name} as own where id = ${from}`)
  await merge(tx, table, from, values.id)
}

/** Lets everything that refers to a row refer to another one, and removes it. */
async function merge(tx: Database, table: 'users' | 'groups', from: number, to: number) {
  const references = await query<{ table: string; column: string }>(
    tx,
    sql`select conrelid::regclass::text as table, attname as column from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1] where contype = 'f' and confrelid = ${table}::regclass`,
  )
  const others = table === 'users' ? [{ table: 'imports', column: 'user_id' }] : []
  for (const { table: referring, column } of [...references, ...others]) {
    await tx.execute(
      sql`update ${sql.identifier(referring)} set ${sql.identifier(column)} = ${to} where ${sql.identifier(column)} = ${from}`,
    )
  }
  await tx.execute(sql`delete from ${sql.identifier(table)} where id = ${from}`)
}
