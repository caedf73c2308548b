import { integer, pgTable, text } from 'drizzle-orm/pg-core'

/** The order that staff gave the entries of an area; entries that it does not name are in their usual order. */
export const entryOrders = pgTable('entry_orders', {
  area: text('area').primaryKey(),
  version: integer('version').notNull(),
  ids: integer('ids').array().notNull(),
})
