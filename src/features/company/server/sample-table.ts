import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** The rows that the sample content put, as they were: a higher version is the company's own. */
export const sampleRows = pgTable(
  'sample_rows',
  {
    /** Name of their table. */
    place: text('place').notNull(),
    rowId: integer('row_id').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [primaryKey({ columns: [table.place, table.rowId] })],
)
