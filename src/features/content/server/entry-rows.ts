import type { SQL } from 'drizzle-orm'
import { eq, getTableName, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { EnglishOlder, Pair } from '#src/lib/english-older.ts'
import { updateEnglishOlder } from '#src/lib/english-older.ts'
import type { Database } from '#src/server/database/database.ts'
import { findLastChange } from '#src/server/audit-log/journal.ts'
import type { LiveArea } from '#src/server/live/events.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'

/** Columns every table of edited content has. `version` counts its changes. */
export type EntryTable = PgTable & { id: PgColumn; version: PgColumn; updatedAt: PgColumn }
export type EntryRow = { id: number; version: number; englishOlder?: EnglishOlder }

export type Definition<Table extends EntryTable, Entity, Input> = {
  /** Area of rights, and of the journal. */
  area: string
  /** Tells several kinds of entries of one area apart in the journal. */
  kind?: string
  /** Where visitors' pages show it. */
  live?: LiveArea
  /** True where at most one entry exists: creating a second is a `Conflict` with the first. */
  single?: boolean
  table: Table
  orderBy: SQL[]
  /** French fields with their English ones, where the table has the column `english_older`. */
  pairs?: readonly Pair[]
  toEntity: (row: Table['$inferSelect']) => Entity
  toRow: (input: Input) => Partial<Table['$inferInsert']>
}

/** The stored rows of one kind of edited content: found, locked for a change, and what refuses the change. */
export function rowsOf<Table extends EntryTable, Entity extends object, Input>(definition: Definition<Table, Entity, Input>) {
  const { area, kind, pairs, toEntity } = definition
  // Drizzle cannot type queries over a table that is a type parameter: the shape is vouched for here, once.
  const table = definition.table as EntryTable
  const entityOf = (row: unknown) => toEntity(row as Table['$inferSelect'])
  const journalId = (id: number) => (kind ? `${kind}/${id}` : id)

  async function lock(tx: Database, id: number) {
    const rows: unknown[] = await tx.select().from(table).where(eq(table.id, id)).for('update')
    const row = rows[0] as EntryRow | undefined
    if (!row) throw new NotFound('This entry does not exist.')
    return row
  }

  async function refuseSecond(tx: Database) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${getTableName(table)}))`)
    const rows: unknown[] = await tx.select().from(table).limit(1)
    if (rows.length > 0) await refuse(tx, rows[0])
  }

  /** Answers with the stored entry, and who saved it when. */
  async function refuse(tx: Database, row: unknown): Promise<never> {
    const changed = await findLastChange(tx, area, journalId((row as EntryRow).id))
    throw new Conflict('Someone else saved this entry in the meantime.', { current: entityOf(row), changed })
  }

  /** Which English texts are older than the French ones once these values are stored; nothing where none are in pairs. */
  function markEnglish(row: EntryRow, values: object, reviewed: string[] | undefined) {
    if (!pairs) return {}
    const after = entityOf({ ...row, ...values })
    return { englishOlder: updateEnglishOlder(pairs, row.englishOlder, entityOf(row), after, reviewed) }
  }

  return { table, entityOf, journalId, lock, refuse, refuseSecond, markEnglish }
}
