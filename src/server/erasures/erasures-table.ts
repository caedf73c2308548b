import { pgTable, serial, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/** What was erased about people, as keyed hashes: a backup that is older than its erasures is known by the rows it lacks. */
export const erasures = pgTable(
  'erasures',
  {
    id: serial('id').primaryKey(),
    kind: text('kind').notNull(),
    hash: text('hash').notNull(),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [uniqueIndex('erasures_hash').on(table.hash, table.kind, table.at)],
)
