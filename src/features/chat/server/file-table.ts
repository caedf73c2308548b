import { customType, index, integer, pgTable, primaryKey, serial, text, timestamp } from 'drizzle-orm/pg-core'
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
    type: text('type', { enum: ['image/jpeg', 'image/png', 'application/pdf', 'text/plain'] }).notNull(),
    size: integer('size').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('chat_files_chat').on(table.chatId)],
)

/** Its bytes in pieces: one value of 10 MB would block the embedded database, and with it the whole process. */
export const filePieceBytes = 512 * 1024

export const chatFilePieces = pgTable(
  'chat_file_pieces',
  {
    fileId: integer('file_id')
      .notNull()
      .references(() => chatFiles.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.position] })],
)
