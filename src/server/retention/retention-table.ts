import { integer, pgTable, text } from 'drizzle-orm/pg-core'

/** How long each kind of information is stored: settings, notices, policy and nightly work read these rows and nothing else. */
export const retentionPeriods = pgTable('retention_periods', {
  kind: text('kind').primaryKey(),
  count: integer('count').notNull(),
  unit: text('unit').$type<'days' | 'months'>().notNull(),
})
