import { customType, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Copies of uploaded photos, stored in the database so that every instance and backup has them. */
export const pictures = pgTable(
  'pictures',
  {
    key: text('key').notNull(),
    width: integer('width').notNull(),
    format: text('format', { enum: ['avif', 'jpeg', 'png'] }).notNull(),
    bytes: bytea('bytes').notNull(),
    /** Since when no entry shows it; null while one does. */
    unusedSince: timestamp('unused_since', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.key, table.width, table.format] })],
)
