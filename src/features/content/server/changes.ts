import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '#src/server/cache/content-cache.ts'

type DatedTable = PgTable & { id: AnyPgColumn; updatedAt: AnyPgColumn }

/** When each entry of an area was last changed, as an ISO date-time by its id: for the site map and the feeds. */
export function readChanges({ content, db }: Reader, area: string, table: DatedTable) {
  return content.read(area, 'changes', async () => {
    const rows = await db.select({ id: table.id, at: table.updatedAt }).from(table)
    return new Map(rows.map(({ id, at }) => [id as number, (at as Date).toISOString()]))
  })
}
