import { boolean, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { Rights } from '#src/lib/rights.ts'

export const groups = pgTable('groups', {
  id: serial('id').primaryKey(),
  name: text('name').notNull().unique(),
  /** A disabled group gives no right at all. */
  enabled: boolean('enabled').notNull().default(true),
  rights: jsonb('rights').$type<Rights>().notNull(),
  /** Its people must set two-factor up before anything else. */
  requiresTotp: boolean('requires_totp').notNull().default(false),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
