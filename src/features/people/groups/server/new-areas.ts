import { eq } from 'drizzle-orm'
import type { Area } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { Database } from '#src/server/database/database.ts'
import { groups } from './table.ts'

/**
 * Gives an area that came with an update to the groups that administer groups, at the start. Nobody gives a right that they
 * do not hold: without its first holders, nobody could ever open it.
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
