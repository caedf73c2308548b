import { customType, index, integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { chatMessages, chats } from './table.ts'

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** What visitors attached. In the database, so that it goes with its conversation, whoever deletes that. */
export const chatFiles = pgTable(
  'chat_files',
  {
    id: serial('id').primaryKey(),
    chatId: integer('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    messageId: integer('message_id')
      .notNull()
      .unique()
      .references(() => chatMessages.id, { onDelete: 'cascade' }),
    /** Our own name for it: the visitor's words, the ending of what it really is. */
    name: text('name').notNull(),
    type: text('type', { enum: ['image/jpeg', 'image/png', 'application/pdf'] }).notNull(),
    size: integer('size').notNull(),
    bytes: bytea('bytes').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('chat_files_chat').on(table.chatId)],
)
