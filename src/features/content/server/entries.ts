import { eq, sql } from 'drizzle-orm'
import type { EnglishOlder } from '#src/lib/english-older.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/journal.ts'
import { findLastChange, recordChange } from '#src/server/audit-log/journal.ts'
import type { Events } from '#src/server/live/events.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { Definition, EntryRow, EntryTable } from './entry-rows.ts'
import { rowsOf } from './entry-rows.ts'

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
  const { area, kind, live, orderBy, toRow } = definition
  const { table, entityOf, journalId, lock, refuse, refuseSecond, markEnglish } = rowsOf(definition)

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
        const english = markEnglish(row, values, input.english_reviewed)
        const rows: unknown[] = await tx
          .update(table)
          .set({ ...values, ...english, version: row.version + 1, updatedAt: sql`now()` })
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
        if (rows.length === 0) throw new Conflict('This entry already exists.')
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
