import { index, integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '#src/features/people/users/server/table.ts'

/** Visitors who may not chat for a time, known by their e-mail, their address or both. */
export const chatBlocks = pgTable(
  'chat_blocks',
  {
    id: serial('id').primaryKey(),
    /** In small letters. */
    email: text('email'),
    address: text('address'),
    reason: text('reason').notNull(),
    /** Null: until somebody lifts it. */
    until: timestamp('until', { withTimezone: true }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    userName: text('user_name').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('chat_blocks_email').on(table.email), index('chat_blocks_address').on(table.address)],
)
