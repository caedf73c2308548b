import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { boolean, index, integer, jsonb, pgTable, serial, text, timestamp, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '#src/features/people/users/server/table.ts'
import type { ChatSettings } from '../settings-contract.ts'

export const chats = pgTable(
  'chats',
  {
    id: serial('id').primaryKey(),
    /** The visitor's key: whoever has it is the visitor. */
    key: text('key').notNull().unique(),
    clientName: text('client_name').notNull(),
    clientEmail: text('client_email').notNull(),
    clientBusiness: text('client_business').notNull().default(''),
    language: text('language', { enum: ['fr', 'en'] })
      .notNull()
      .default('fr'),
    page: text('page').notNull().default(''),
    /** Where the visitor came from, for a technician to block it. */
    clientAddress: text('client_address').notNull().default(''),
    status: text('status', { enum: ['waiting', 'claimed', 'closed'] })
      .notNull()
      .default('waiting'),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The full conversation that this one goes on from. */
    continuesId: integer('continues_id').references((): AnyPgColumn => chats.id, { onDelete: 'set null' }),
    /** Number of the last message; the next one takes it in the same statement that raises it. */
    lastSeq: integer('last_seq').notNull().default(0),
    staffReadSeq: integer('staff_read_seq').notNull().default(0),
    visitorReadSeq: integer('visitor_read_seq').notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
    claimedAt: timestamp('claimed_at', { withTimezone: true }),
    closedAt: timestamp('closed_at', { withTimezone: true }),
    /** When the technicians were written to because nobody took it. */
    escalatedAt: timestamp('escalated_at', { withTimezone: true }),
    /** What the visitor thought of it at the end: 1 to 5, and in words. */
    rating: integer('rating'),
    ratingComment: text('rating_comment').notNull().default(''),
    ratedAt: timestamp('rated_at', { withTimezone: true }),
  },
  (table) => [
    unique('chats_continues').on(table.continuesId),
    index('chats_status').on(table.status),
    index('chats_email').on(table.clientEmail),
    index('chats_created').on(table.createdAt),
    index('chats_updated').on(table.updatedAt),
  ],
)

export const chatMessages = pgTable(
  'chat_messages',
  {
    id: serial('id').primaryKey(),
    chatId: integer('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    /** 1, 2, 3… per chat for what both sides see; an internal note stands after the message whose number it repeats. */
    seq: integer('seq').notNull(),
    /** A note among staff, which the visitor never receives. */
    internal: boolean('internal').notNull().default(false),
    message: text('message').notNull(),
    fromStaff: boolean('from_staff').notNull(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    userName: text('user_name').notNull(),
    imageUrl: text('image_url'),
    color: text('color'),
    clientMessageId: text('client_message_id'),
    sentAt: timestamp('sent_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    unique('chat_messages_client_id').on(table.chatId, table.clientMessageId),
    uniqueIndex('chat_messages_seq')
      .on(table.chatId, table.seq)
      .where(sql`not ${table.internal}`),
    index('chat_messages_order').on(table.chatId, table.seq, table.id),
  ],
)

/** Each time a transcript was mailed, to keep it within its limits. */
export const chatTranscripts = pgTable(
  'chat_transcripts',
  {
    id: serial('id').primaryKey(),
    chatId: integer('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    mailedAt: timestamp('mailed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('chat_transcripts_chat').on(table.chatId), index('chat_transcripts_mailed').on(table.mailedAt)],
)

/** Who answers chats: a choice that outlives a lost connection and a restart of the server. */
export const technicians = pgTable('technicians', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  available: boolean('available').notNull(),
  since: timestamp('since', { withTimezone: true }).notNull().defaultNow(),
})

/** What the supervisor decided: one row, or none before the first save. */
export const chatSettingsTable = pgTable('chat_settings', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
  settings: jsonb('settings').$type<Omit<ChatSettings, 'version'>>().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
