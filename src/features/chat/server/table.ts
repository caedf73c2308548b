import { inArray, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  serial,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  customType,
  primaryKey,
} from 'drizzle-orm/pg-core'
import type { VisitSource } from '#src/lib/visit-source.ts'
import { users } from '#src/features/people/server/table.ts'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import type { ChatSettings } from '../contract.ts'
import type { ReadPage } from '../protocol.ts'

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
    /** Where the first page of the visitor's tab was opened from. */
    source: jsonb('source').$type<VisitSource>(),
    /** Of the visitor's device; may be empty. */
    timeZone: text('time_zone').notNull().default(''),
    /** Pages the visitor read to help themselves, before the conversation. */
    readPages: jsonb('read_pages').$type<ReadPage[]>().notNull().default([]),
    /** Keyed hash of the visitor's IP address, for a block; see `addresses.ts`. */
    clientAddress: text('client_address').notNull().default(''),
    /** `away`: waiting, but the visitor left the queue. */
    status: text('status', { enum: ['waiting', 'claimed', 'away', 'closed'] })
      .notNull()
      .default('waiting'),
    /** Since when no page of the visitor has it open; null while one has. */
    goneAt: timestamp('gone_at', { withTimezone: true, precision: 3 }),
    /** No foreign key, as for messages; triggers see to it that an open conversation names nobody who is deleted. */
    userId: integer('user_id'),
    /** The full conversation that this one continues. */
    continuesId: integer('continues_id').references((): AnyPgColumn => chats.id, { onDelete: 'set null' }),
    /** Number of the last message; the next one takes it in the same statement that raises it. */
    lastSeq: integer('last_seq').notNull().default(0),
    staffReadSeq: integer('staff_read_seq').notNull().default(0),
    visitorReadSeq: integer('visitor_read_seq').notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
    /** The first time somebody took it. */
    claimedAt: timestamp('claimed_at', { withTimezone: true }),
    /** When it came into the queue, and when its technician took it: the last time each. */
    waitingSince: timestamp('waiting_since', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
    ownedSince: timestamp('owned_since', { withTimezone: true, precision: 3 }),
    /** Why it came back to the queue, and from whom; null once somebody takes it. */
    releasedReason: text('released_reason', { enum: ['unanswered', 'left'] }),
    releasedFrom: text('released_from').notNull().default(''),
    tags: jsonb('tags').$type<string[]>().notNull().default([]),
    closedAt: timestamp('closed_at', { withTimezone: true }),
    /** When the technicians were mailed because nobody claimed it; null again each time it comes into the queue. */
    escalatedAt: timestamp('escalated_at', { withTimezone: true }),
    /** 1 to 5, with a comment. */
    rating: integer('rating'),
    ratingComment: text('rating_comment').notNull().default(''),
    ratedAt: timestamp('rated_at', { withTimezone: true }),
  },
  (table) => [
    unique('chats_continues').on(table.continuesId),
    index('chats_status').on(table.status),
    index('chats_email').on(sql`lower(${table.clientEmail})`),
    index('chats_user').on(table.userId),
    index('chats_created').on(table.createdAt),
    index('chats_updated').on(table.updatedAt),
  ],
)

const openStatuses = ['waiting', 'claimed', 'away'] as const
/** By the statuses that are open, which the index finds: closed chats are nearly all. */
export const isOpenChat = inArray(chats.status, [...openStatuses])

/** A chat that is offered to a colleague; deleted when they accept or decline, or when it expires. */
export const chatOffers = pgTable(
  'chat_offers',
  {
    chatId: integer('chat_id')
      .primaryKey()
      .references(() => chats.id, { onDelete: 'cascade' }),
    fromUserId: integer('from_user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    toUserId: integer('to_user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    note: text('note').notNull(),
    until: timestamp('until', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [index('chat_offers_from').on(table.fromUserId), index('chat_offers_to').on(table.toUserId)],
)

export const chatEventKinds = [
  'claimed',
  'taken_over',
  'transferred',
  'reopened',
  'unanswered',
  'left',
  'visitor_left',
  'closed',
] as const

/** What happened to a chat, for the reports: one row each time. */
export const chatEvents = pgTable(
  'chat_events',
  {
    id: serial('id').primaryKey(),
    chatId: integer('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: chatEventKinds }).notNull(),
    /** Who took it (`claimed`, `taken_over`, `transferred`, `reopened`), lost it (`unanswered`, `left`) or closed it. */
    userId: integer('user_id'),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    index('chat_events_chat').on(table.chatId),
    index('chat_events_user').on(table.userId),
    index('chat_events_at').on(table.at),
  ],
)

/** What a closed conversation is found by, in the letters of `search_text`; kept by triggers of the database. */
export const chatTexts = pgTable('chat_texts', {
  chatId: integer('chat_id')
    .primaryKey()
    .references(() => chats.id, { onDelete: 'cascade' }),
  text: text('text').notNull(),
})

export const chatMessages = pgTable(
  'chat_messages',
  {
    id: serial('id').primaryKey(),
    chatId: integer('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    /** 1, 2, 3… per chat without gaps; an internal note repeats the number of the message before it. */
    seq: integer('seq').notNull(),
    /** A note among staff, which the visitor never receives. */
    internal: boolean('internal').notNull().default(false),
    message: text('message').notNull(),
    fromStaff: boolean('from_staff').notNull(),
    /** No foreign key: thousands of rows are cleared in parts after a user is deleted. */
    userId: integer('user_id'),
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
    index('chat_messages_user').on(table.userId),
  ],
)

/** What the end of a chat fixes, for the reports; times are in business minutes. Deleted by a trigger when it is reopened. */
export const chatFigures = pgTable(
  'chat_figures',
  {
    chatId: integer('chat_id')
      .primaryKey()
      .references(() => chats.id, { onDelete: 'cascade' }),
    /** The company's day on which it began. */
    day: date('day', { mode: 'string' }).notNull(),
    /** No foreign key: thousands of rows are cleared in parts after a user is deleted. */
    userId: integer('user_id'),
    isMissed: boolean('is_missed').notNull(),
    isTakenOver: boolean('is_taken_over').notNull(),
    isGivenUp: boolean('is_given_up').notNull(),
    answer: real('answer'),
    resolution: real('resolution'),
    wait: real('wait'),
    silence: real('silence'),
    /** A trigger stores a rating that comes later. */
    rating: smallint('rating'),
  },
  (table) => [index('chat_figures_day').on(table.day), index('chat_figures_user').on(table.userId)],
)

/** One row per mailed transcript, for its limits. */
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

/** The availability of each technician; it survives a lost connection and a restart of the server. */
export const technicians = pgTable('technicians', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  available: boolean('available').notNull(),
  since: timestamp('since', { withTimezone: true }).notNull().defaultNow(),
  /** Since when the person has been disconnected or unavailable; null while they are there. */
  awaySince: timestamp('away_since', { withTimezone: true, precision: 3 }),
})

/** One row, or none before the first save. */
export const chatSettingsTable = pgTable('chat_settings', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
  settings: jsonb('settings').$type<Omit<ChatSettings, 'version'>>().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Attached files, in the database so that they are deleted with their conversation. */
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
    /** The cleaned name with the extension of the real type. */
    name: text('name').notNull(),
    type: text('type', { enum: ['image/jpeg', 'image/png', 'application/pdf', 'text/plain'] }).notNull(),
    size: integer('size').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('chat_files_chat').on(table.chatId)],
)

/** The bytes in pieces: one value of 10 MB blocks the embedded database, and with it the process, for two seconds. */
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

/** Blocked visitors, by e-mail, IP address or both. */
export const chatBlocks = pgTable(
  'chat_blocks',
  {
    id: serial('id').primaryKey(),
    /** In lower case. */
    email: text('email'),
    /** The same hash as that of a chat. */
    address: text('address'),
    reason: text('reason').notNull(),
    /** Null: until somebody lifts the block. */
    until: timestamp('until', { withTimezone: true }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    userName: text('user_name').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('chat_blocks_email').on(table.email),
    index('chat_blocks_address').on(table.address),
    index('chat_blocks_user').on(table.userId),
  ],
)

/** Canned replies, in both languages under one shortcut. */
export const cannedReplies = pgTable(
  'canned_replies',
  {
    id: serial('id').primaryKey(),
    /** Without its slash. */
    shortcut: text('shortcut').notNull(),
    reply: text('reply').notNull(),
    replyEn: text('reply_en').notNull().default(''),
    englishOlder: jsonb('english_older').$type<EnglishOlder>().notNull().default({}),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('canned_replies_shortcut').on(sql`lower(${table.shortcut})`)],
)

/** The key pair by which push services know this installation (VAPID, RFC 8292); one row. */
export const pushKeys = pgTable('push_keys', {
  id: integer('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  /** Encrypted; null after the secret of the installation was lost. */
  privateKey: text('private_key'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Devices on which a technician allowed notifications. */
export const pushDevices = pgTable(
  'push_devices',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    endpoint: text('endpoint').notNull().unique(),
    p256dh: text('p256dh').notNull(),
    /** Encrypted; null after the secret of the installation was lost. */
    auth: text('auth'),
    language: text('language', { enum: ['fr', 'en'] }).notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    answeredAt: timestamp('answered_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('push_devices_user').on(table.userId)],
)

/** How often, and when last, a technician was called for a conversation. */
export const pushCalls = pgTable(
  'push_calls',
  {
    chatId: integer('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    count: integer('count').notNull(),
    calledAt: timestamp('called_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.userId] }), index('push_calls_user').on(table.userId)],
)

/** Calls that a technician did not react to; the row goes as soon as they open a screen. */
export const unansweredCalls = pgTable('unanswered_calls', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  count: integer('count').notNull(),
  firstAt: timestamp('first_at', { withTimezone: true }).notNull(),
  lastAt: timestamp('last_at', { withTimezone: true }).notNull(),
  /** No device took the last call. */
  isRefused: boolean('is_refused').notNull().default(false),
})
