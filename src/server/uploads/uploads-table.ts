import { bigint, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Uploads in pieces whose file no route has taken yet; their bytes are in the data folder, under the same id. */
export const uploads = pgTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    /** Who began it, and alone may send more. */
    owner: text('owner').notNull(),
    purpose: text('purpose').notNull(),
    name: text('name').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** When bytes last came. */
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('uploads_owner').on(table.owner), index('uploads_updated').on(table.updatedAt)],
)
