import { sql } from 'drizzle-orm'
import { date, index, integer, pgSequence, pgTable, primaryKey, serial, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { languages } from '#src/lib/language/language.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { chats } from '../../chat/server/table.ts'
import { users } from '#src/features/people/server/table.ts'
import { requestKinds, storedStatuses, traps } from '../values.ts'

/** Numbers of the references, one run a kind; a number that was taken for nothing leaves a gap. */
export const supportNumbers = pgSequence('request_numbers_support')
export const contactNumbers = pgSequence('request_numbers_contact')
export const chatNumbers = pgSequence('request_numbers_chat')

export const requests = pgTable(
  'requests',
  {
    id: serial('id').primaryKey(),
    reference: text('reference').notNull().unique(),
    kind: text('kind', { enum: requestKinds }).notNull(),
    status: text('status', { enum: storedStatuses }).notNull().default('new'),
    /** The whole name; its two parts where the form asks for them. */
    name: text('name').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    email: text('email').notNull(),
    phone: text('phone').notNull().default(''),
    subject: text('subject').notNull().default(''),
    message: text('message').notNull(),
    language: text('language', { enum: languages }).notNull(),
    /** Path of the page it was sent from. */
    page: text('page').notNull().default(''),
    assignedTo: integer('assigned_to').references(() => users.id, { onDelete: 'set null' }),
    /** The conversation it was made from. */
    chatId: integer('chat_id').references(() => chats.id, { onDelete: 'set null' }),
    /** Client id and a hash of the content: the two together identify one request. */
    clientId: text('client_id'),
    contentHash: text('content_hash'),
    /** What caught a suspected one; stays when it becomes a request. */
    trap: text('trap', { enum: traps }),
    /** When it was taken from the suspected ones, or thrown away from there: undone for a few seconds. */
    takenAt: timestamp('taken_at', { withTimezone: true }),
    removedAt: timestamp('removed_at', { withTimezone: true }),
    mailId: integer('mail_id').references(() => mails.id, { onDelete: 'set null' }),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
    doneAt: timestamp('done_at', { withTimezone: true }),
  },
  (table) => [
    index('requests_created').on(table.createdAt),
    index('requests_status').on(table.status),
    // A conversation becomes one request.
    uniqueIndex('requests_chat').on(table.chatId),
    uniqueIndex('requests_client').on(table.clientId, table.contentHash),
    // What was decided a moment ago is looked for each minute; hardly any row has either.
    index('requests_decided')
      .on(table.id)
      .where(sql`${table.removedAt} is not null or (${table.takenAt} is not null and ${table.mailId} is null)`),
  ],
)

/** Internal comments on a request. */
export const requestComments = pgTable(
  'request_comments',
  {
    id: serial('id').primaryKey(),
    requestId: integer('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    userName: text('user_name').notNull(),
    body: text('body').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('request_comments_request').on(table.requestId)],
)

/** Forms that a trap caught, by day and keyed hash of the address; what is over the limit is counted only. */
export const trapCounts = pgTable(
  'request_trap_counts',
  {
    day: date('day').notNull(),
    addressHash: text('address_hash').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.addressHash] })],
)
