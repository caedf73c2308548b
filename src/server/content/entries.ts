import type { SQL } from 'drizzle-orm'
import { eq, getTableName, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { EnglishOlder, Pair } from '#src/lib/english-older.ts'
import { updateEnglishOlder } from '#src/lib/english-older.ts'
import type { Database } from '../database/database.ts'
import type { Events, LiveArea } from '../live/events.ts'
import type { Author } from '../journal/journal.ts'
import { findLastChange, recordChange } from '../journal/journal.ts'
import { Conflict, NotFound } from '../problems.ts'

/** Columns every table of edited content has. `version` counts its changes. */
type EntryTable = PgTable & { id: PgColumn; version: PgColumn; updatedAt: PgColumn }
type EntryRow = { id: number; version: number; englishOlder?: EnglishOlder }

type Definition<Table extends EntryTable, Entity, Input> = {
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

export type EntryContext = { db: Database; events: Events }

/** Columns besides the fields, for a deleted entry to be restored. */
export type Former = { id: number; version: number; createdAt?: Date; englishOlder?: EnglishOlder }

type AnyInput = { version?: number | undefined; english_reviewed?: string[] | undefined }

/**
 * Verbs of one kind of edited content. Each change is one transaction with its line in the journal, and is
 * published once after the commit. A save that names a `version` other than the stored one is a `Conflict`
 * that carries the stored entry: nothing is overwritten silently.
 */
export function defineEntries<Table extends EntryTable, Entity extends object, Input extends AnyInput>(
  definition: Definition<Table, Entity, Input>,
) {
  const { area, kind, live, orderBy, pairs, toEntity, toRow } = definition
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

  /** One transaction, and the word of it after the commit. */
  async function change<Result>({ db, events }: EntryContext, work: (tx: Database) => Promise<Result>) {
    const result = await db.transaction(work)
    if (live) events.changed(live)
    return result
  }

  return {
    area,
    kind,
    async findAll(db: Database): Promise<Entity[]> {
      const rows: unknown[] = await db
        .select()
        .from(table)
        .orderBy(...orderBy)
      return rows.map(entityOf)
    },
    async find(db: Database, id: number): Promise<Entity> {
      const rows: unknown[] = await db.select().from(table).where(eq(table.id, id))
      if (rows.length === 0) throw new NotFound('This entry does not exist.')
      return entityOf(rows[0])
    },
    async create(context: EntryContext, author: Author, input: Input): Promise<Entity> {
      return change(context, async (tx) => {
        if (definition.single) await refuseSecond(tx)
        const rows: unknown[] = await tx.insert(table).values(toRow(input)).returning()
        const after = entityOf(rows[0])
        await recordChange(tx, author, { area, action: 'create', entryId: journalId((rows[0] as EntryRow).id), after })
        return after
      })
    },
    async update(context: EntryContext, author: Author, id: number, input: Input): Promise<Entity> {
      return change(context, async (tx) => {
        const row = await lock(tx, id)
        const before = entityOf(row)
        if (input.version !== undefined && input.version !== row.version) await refuse(tx, row)
        const values = toRow(input)
        const older = pairs && {
          englishOlder: updateEnglishOlder(
            pairs,
            row.englishOlder,
            before,
            entityOf({ ...row, ...values }),
            input.english_reviewed,
          ),
        }
        const rows: unknown[] = await tx
          .update(table)
          .set({ ...values, ...older, version: row.version + 1, updatedAt: sql`now()` })
          .where(eq(table.id, id))
          .returning()
        const after = entityOf(rows[0])
        await recordChange(tx, author, { area, action: 'update', entryId: journalId(id), before, after })
        return after
      })
    },
    async remove(context: EntryContext, author: Author, id: number) {
      await change(context, async (tx) => {
        const before = entityOf(await lock(tx, id))
        await tx.delete(table).where(eq(table.id, id))
        await recordChange(tx, author, { area, action: 'delete', entryId: journalId(id), before })
      })
    },
    /** Puts a deleted entry back under its id, as the journal kept it; its next version, so that no old form replaces it. */
    async restore(context: EntryContext, author: Author, former: Former, input: Input): Promise<Entity> {
      return change(context, async (tx) => {
        if (definition.single) await refuseSecond(tx)
        const rows: unknown[] = await tx
          .insert(table)
          .values({ ...toRow(input), ...former, version: former.version + 1 })
          .onConflictDoNothing()
          .returning()
        if (rows.length === 0) throw new Conflict('This entry exists already.')
        const after = entityOf(rows[0])
        await recordChange(tx, author, { area, action: 'restore', entryId: journalId(former.id), after })
        return after
      })
    },
    /** Who saved an entry last, and when; null where the journal does not know it. */
    findLastChange: (db: Database, id: number) => findLastChange(db, area, journalId(id)),
  }
}

export type Entries<Entity extends object, Input> = {
  area: string
  kind?: string | undefined
  findAll: (db: Database) => Promise<Entity[]>
  find: (db: Database, id: number) => Promise<Entity>
  create: (context: EntryContext, author: Author, input: Input) => Promise<Entity>
  update: (context: EntryContext, author: Author, id: number, input: Input) => Promise<Entity>
  remove: (context: EntryContext, author: Author, id: number) => Promise<void>
  restore: (context: EntryContext, author: Author, former: Former, input: Input) => Promise<Entity>
  findLastChange: (db: Database, id: number) => Promise<{ at: Date; name: string } | null>
}
