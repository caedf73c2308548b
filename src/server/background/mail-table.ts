import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { Language } from '#src/lib/language/language.ts'

export type MailHeaders = {
  inReplyTo?: string
  references?: string[]
  /** RFC 3834; `no` for messages written by a user. */
  autoSubmitted?: 'auto-generated' | 'auto-replied' | 'no'
  /** Of its text, where it is in one language alone. */
  language?: Language
  /** Shown as sender, before the address. */
  fromName?: string
  /** The recipients that each copy of one message shows; the mail itself goes to `recipient` alone. */
  to?: string[]
  cc?: string[]
  /** Address that unsubscribes by one POST (RFC 8058). */
  unsubscribe?: string
}

/** A file that is read when the mail is sent. */
export type MailFile = { id: number; name: string; type: string }

/** Every mail, before and after it was sent. */
export const mails = pgTable(
  'mails',
  {
    id: serial('id').primaryKey(),
    /** Stable over retries, so that the receiver can drop a duplicate. */
    messageId: text('message_id').notNull().unique(),
    recipient: text('recipient').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    html: text('html'),
    headers: jsonb('headers').$type<MailHeaders>().notNull().default({}),
    files: jsonb('files').$type<MailFile[]>().notNull().default([]),
    /** The encrypted secret, such as a password link; removed once the mail was sent. */
    secret: text('secret'),
    state: text('state', { enum: ['waiting', 'sent', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** A legal hold keeps it from retention and erasure. */
    onHold: boolean('on_hold').notNull().default(false),
    /** Mails with the same value leave in the order in which they were stored. */
    thread: text('thread'),
    /** One text for many; leaves after the others. */
    isBulk: boolean('is_bulk').notNull().default(false),
    /**
     * Not sent before. The default gives instances of an earlier version, which have a queue of their own, the time to send
     * what they store.
     */
    dueAt: timestamp('due_at', { withTimezone: true })
      .notNull()
      .default(sql`now() + interval '10 minutes'`),
    /** A process is sending it, for so long at most. */
    heldUntil: timestamp('held_until', { withTimezone: true }),
    /** Waited in the product whose export was imported, which sends it: here only where staff send it again. */
    isImported: boolean('is_imported').notNull().default(false),
    /** Useless after this moment, when it is not sent any more. */
    endsAt: timestamp('ends_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    sentAt: timestamp('sent_at', { withTimezone: true }),
  },
  (table) => [
    index('mails_state').on(table.state),
    index('mails_due')
      .on(table.isBulk, table.dueAt, table.id)
      .where(sql`${table.state} = 'waiting'`),
    index('mails_thread')
      .on(table.thread, table.id)
      .where(sql`${table.state} = 'waiting'`),
    index('mails_created').on(table.createdAt),
    index('mails_recipient').on(sql`lower(${table.recipient})`),
    index('mails_reply_to').on(sql`lower(${table.replyTo})`),
  ],
)
