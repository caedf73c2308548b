import { eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import type { Area } from '#src/lib/rights.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'

/** Columns of every table of edited content. `version` counts its changes. */
export type ContentTable = PgTable & { id: PgColumn; version: PgColumn; updatedAt: PgColumn }
export type ContentRow = { id: number; version: number; englishOlder?: EnglishOlder }

const importAuthor: Author = { userId: null, name: '', address: '' }

type Kind<Input, Entity> = {
  area: Area
  path: string | undefined
  table: ContentTable
  toRow: (input: Input) => object
  entityOf: (row: unknown) => Entity
  nameOf: (entity: Entity) => string
  /** Throws where the entry is not there. */
  lock: (tx: Database, id: number) => Promise<ContentRow>
  onChange: ((tx: Database, author: Author, before: Entity | null, after: Entity | null) => Promise<void>) | undefined
}

/** How imported entries of edited content are stored: the part of their writer that is the same for each kind. */
export function createContentWriter<Input, Entity>(kind: Kind<Input, Entity>) {
  const { area, path, table, toRow, entityOf, nameOf, lock, onChange } = kind
  return {
    area,
    path,
    async create(tx: Database, values: unknown[]): Promise<number[]> {
      const given = (values as Input[]).map(toRow)
      const rows: unknown[] = await tx.insert(table).values(given).returning()
      if (onChange) for (const row of rows) await onChange(tx, importAuthor, null, entityOf(row))
      return rows.map((row) => (row as ContentRow).id)
    },
    async update(tx: Database, id: number, values: unknown) {
      const row = await lock(tx, id)
      const changed = { ...toRow(values as Input), version: row.version + 1, updatedAt: sql`now()` }
      const rows: unknown[] = await tx.update(table).set(changed).where(eq(table.id, id)).returning()
      await onChange?.(tx, importAuthor, entityOf(row), entityOf(rows[0]))
    },
    async remove(tx: Database, ids: number[]) {
      const rows: unknown[] = await tx.delete(table).where(inArray(table.id, ids)).returning()
      for (const row of rows) await onChange?.(tx, importAuthor, entityOf(row), null)
    },
    async findMarks(tx: Database, ids: number[]) {
      const rows = await tx.select({ id: table.id, version: table.version }).from(table).where(inArray(table.id, ids))
      return new Map((rows as { id: number; version: number }[]).map((row) => [row.id, String(row.version)]))
    },
    async findNames(db: Database, ids: number[]) {
      const rows: unknown[] = await db.select().from(table).where(inArray(table.id, ids))
      return new Map(rows.map((row) => [(row as ContentRow).id, nameOf(entityOf(row))]))
    },
  }
}
