import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'

/** Who did what to which entry. Rows are only ever added; a trigger refuses anything else. */
export const journal = pgTable(
  'journal',
  {
    id: serial('id').primaryKey(),
    at: timestamp('at', { withTimezone: true, precision: 3 })
      .notNull()
      .default(sql`clock_timestamp()`),
    userId: integer('user_id'),
    userName: text('user_name').notNull(),
    address: text('address').notNull(),
    area: text('area').notNull(),
    action: text('action').notNull(),
    entryId: text('entry_id'),
    before: jsonb('before').$type<unknown>(),
    after: jsonb('after').$type<unknown>(),
    /** SHA-256 of the previous hash and of this row: a row changed or taken out later breaks the chain. */
    hash: text('hash').notNull(),
  },
  (table) => [index('journal_entry').on(table.area, table.entryId), index('journal_at').on(table.at)],
)
