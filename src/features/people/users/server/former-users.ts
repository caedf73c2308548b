import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'

const queue = 'former-users'
/** Few enough for the embedded database's only connection. */
const rowsAtOnce = 200
const pauseMs = 20

export function scheduleFormerUsers(app: App) {
  // Each night too: a deletion may come before the queue is ready, and a row beside a deletion.
  app.queue.schedule(queue, '55 3 * * *', () => clearFormerUsers(app))
}

/** Clears, after the commit, the user's number where no foreign key does. */
export const clearLater = (app: App, tx: Database, id: number) => app.queue.send(tx, queue, { data: {}, key: String(id) })

/** In parts: a user may have written a hundred thousand rows, and writes of others must not wait for them. */
export async function clearFormerUsers({ db, userColumns }: Pick<App, 'db' | 'userColumns'>) {
  for (const column of userColumns) {
    const former = await findFormer(db, column)
    while (former.length > 0 && (await clearPart(db, column, former)) > 0) await pause(pauseMs)
  }
}

/** Numbers that the column has and no user; from one to the next by the index, whatever the number of rows. */
async function findFormer(db: Database, column: PgColumn) {
  const { rows } = (await db.execute(sql`with recursive named(id) as (
      (select min(${column}) from ${column.table})
      union all select (select min(${column}) from ${column.table} where ${column} > named.id) from named where named.id is not null
    ) select id from named where id is not null and not exists (select from users where users.id = named.id)`)) as {
    rows: { id: number }[]
  }
  return rows.map(({ id }) => id)
}

async function clearPart(db: Database, column: PgColumn, former: readonly number[]) {
  const isFormer = sql`${column} = any(${sql.param([...former])}::int[])`
  const { rows } = (await db.execute(sql`update ${column.table} set ${sql.identifier(column.name)} = null
    where ctid = any(array(select ctid from ${column.table} where ${isFormer} limit ${rowsAtOnce})) and ${isFormer}
    returning 1`)) as { rows: unknown[] }
  return rows.length
}
