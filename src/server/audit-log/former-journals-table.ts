import { integer, jsonb, pgTable, primaryKey, serial, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * The audit log of a product whose export was imported: a closed chain beside our own. Its keys stayed where it was made, so
 * that `digest` and `seal` prove here that nothing was changed since. Rows are append-only.
 */
export const formerJournals = pgTable('former_journals', {
  id: serial('id').primaryKey(),
  /** Number of its entries, the hash of the last one, and one SHA-256 over all of them. */
  lines: integer('lines').notNull(),
  lastHash: text('last_hash').notNull(),
  digest: text('digest').notNull(),
  /** The seals of its own chain, as they were exported. */
  seals: jsonb('seals').$type<unknown[]>().notNull(),
  importedAt: timestamp('imported_at', { withTimezone: true }).notNull().defaultNow(),
  /** HMAC of the fields above, with the key of this product's own audit log. */
  seal: text('seal').notNull(),
})

export const formerJournalEntries = pgTable(
  'former_journal_entries',
  {
    /** Without a reference: a journal is closed over entries that are stored already. */
    journalId: integer('journal_id').notNull(),
    id: integer('id').notNull(),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
    userId: integer('user_id'),
    userName: text('user_name').notNull(),
    address: text('address').notNull(),
    area: text('area').notNull(),
    action: text('action').notNull(),
    entryId: text('entry_id'),
    before: jsonb('before').$type<unknown>(),
    after: jsonb('after').$type<unknown>(),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.journalId, table.id] })],
)
