import { boolean, index, integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { RedirectStatus } from '../values.ts'

/** Old addresses and where they lead. `key` is the same for two spellings of one address. */
export const redirects = pgTable('redirects', {
  id: serial('id').primaryKey(),
  key: text('key').notNull().unique(),
  from: text('from_address').notNull(),
  to: text('to_address'),
  status: integer('status').$type<RedirectStatus>().notNull(),
  hits: integer('hits').notNull().default(0),
  lastHit: timestamp('last_hit', { withTimezone: true }),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Addresses that nothing answered, without anything about who asked. */
export const missingAddresses = pgTable(
  'missing_addresses',
  {
    path: text('path').primaryKey(),
    count: integer('count').notNull().default(1),
    last: timestamp('last', { withTimezone: true }).notNull().defaultNow(),
    isScanner: boolean('is_scanner').notNull().default(false),
    isIgnored: boolean('is_ignored').notNull().default(false),
  },
  (table) => [index('missing_addresses_last').on(table.last), index('missing_addresses_count').on(table.count)],
)
