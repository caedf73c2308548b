import { boolean, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { Rights } from '../contract.ts'

export const groups = pgTable('groups', {
  id: serial('id').primaryKey(),
  name: text('name').notNull().unique(),
  /** A disabled group gives no right at all. */
  enabled: boolean('enabled').notNull().default(true),
  rights: jsonb('rights').$type<Rights>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
