import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'

/** Audit log entries. Append-only: a trigger rejects updates and deletions. */
export const auditLog = pgTable(
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
    /** HMAC of the previous hash and of this row: a later change or removal of a row breaks the chain. */
    hash: text('hash').notNull(),
  },
  (table) => [
    index('journal_entries').on(table.area, table.entryId, table.id),
    index('journal_at').on(table.at),
    index('journal_area').on(table.area, table.id),
    index('journal_action').on(table.action, table.id),
    index('journal_user').on(table.userName, table.id),
    // The email addresses in the values, for the search of a person.
    index('journal_addresses').using('gin', sql`addresses_in(${table.before}, ${table.after})`),
  ],
)

/**
 * Keys of the values of entries, one an entry: while it exists, they can be read, and are found by these addresses and words.
 * Erasing somebody deletes the keys of what names them, as does the end of the period of the log; the entries and the chain stay.
 */
export const auditLogKeys = pgTable(
  'journal_keys',
  {
    /** The id of an entry; of a journal that came with an import, after the number of that journal and a slash. */
    entry: text('journal_id').primaryKey(),
    key: text('key').notNull(),
    /** When the entry was written. */
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
    addresses: text('addresses').array().notNull(),
    words: text('words').array().notNull().default([]),
  },
  (table) => [
    index('journal_keys_addresses').using('gin', table.addresses),
    index('journal_keys_words').using('gin', table.words),
    index('journal_keys_at').on(table.at),
  ],
)

/**
 * A seal starts a new key of the chain: at the first start, and after a change of `SESSION_SECRET`. It fixes all entries before
 * it, whichever key or plain hash chained them. Rows are append-only.
 */
export const auditLogSeals = pgTable('journal_seals', {
  id: serial('id').primaryKey(),
  /** First entry chained with the new key. */
  fromId: integer('from_id').notNull(),
  /** Fingerprint of the secret that the key is derived from. */
  keyId: text('key_id').notNull(),
  /** Number of earlier entries, their last hash, and one SHA-256 over all of them. */
  lines: integer('lines').notNull(),
  lastHash: text('last_hash').notNull(),
  digest: text('digest').notNull(),
  /** HMAC of the fields above, with the new key. */
  seal: text('seal').notNull(),
  madeAt: timestamp('made_at', { withTimezone: true }).notNull().defaultNow(),
})
