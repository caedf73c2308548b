import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#src/server/database/database.ts'

/** When each row of a table was last changed, as an ISO date-time by its id: what the site map and the feeds tell. */
export async function findChanges(db: Database, table: PgTable & { id: AnyPgColumn; updatedAt: AnyPgColumn }) {
  const rows = await db.select({ id: table.id, at: table.updatedAt }).from(table)
  return new Map(rows.map(({ id, at }) => [id as number, (at as Date).toISOString()]))
}
