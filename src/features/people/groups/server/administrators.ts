import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { Conflict } from '#src/server/problems.ts'
import { users, groups } from '../../server/table.ts'

/** Taken by every change of people or rights, so that two of them cannot each remove one of the last two administrators. */
const peopleLock = 7_148_305

/**
 * Runs a change of people or rights, one at a time, and undoes it with a `Conflict` where nobody would be
 * left who administers users and groups. The change must read inside it what it decides on.
 */
export async function changeKeepingAdministrator<T>(db: Database, change: (tx: Database) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${peopleLock})`)
    const result = await change(tx)
    if (!(await hasAdministrator(tx)))
      throw new Conflict('The last administrator cannot be locked, deleted or lose these rights.', {
        reason: 'last administrator',
      })
    return result
  })
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
