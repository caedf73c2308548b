import { index, integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'

/** Every mail the product was asked to send, kept until it left and after. */
export const mails = pgTable(
  'mails',
  {
    id: serial('id').primaryKey(),
    /** Stable over retries, so that a receiver can drop a double. */
    messageId: text('message_id').notNull().unique(),
    recipient: text('recipient').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    html: text('html'),
    /** What opens an account, encrypted; the body has a marker in its place, and it is gone once the mail left. */
    secret: text('secret'),
    state: text('state', { enum: ['waiting', 'sent', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    sentAt: timestamp('sent_at', { withTimezone: true }),
  },
  (table) => [index('mails_state').on(table.state)],
)
