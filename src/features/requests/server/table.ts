import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import {
  bigint,
  boolean,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { languages } from '#src/lib/language/language.ts'
import type { VisitSource } from '#src/lib/visit-source.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { users } from '#src/features/people/server/table.ts'
import { networkIncidents } from '../../networks/server/table.ts'
import type { RequestEvent, RequestSettings } from '../contract.ts'
import { channels, entryKinds, inboxStates, mailPurposes, priorities, requestKinds, storedStatuses, traps } from '../values.ts'

/** Numbers of the references, one run a kind; a number that was taken for nothing leaves a gap. */
export const supportNumbers = pgSequence('request_numbers_support')
export const contactNumbers = pgSequence('request_numbers_contact')
export const chatNumbers = pgSequence('request_numbers_chat')
export const mailNumbers = pgSequence('request_numbers_mail')

const moment = (name: string) => timestamp(name, { withTimezone: true })
const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

export const requests = pgTable(
  'requests',
  {
    id: serial('id').primaryKey(),
    reference: text('reference').notNull().unique(),
    kind: text('kind', { enum: requestKinds }).notNull(),
    status: text('status', { enum: storedStatuses }).notNull().default('new'),
    priority: text('priority', { enum: priorities }).notNull().default('normal'),
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
    /** Where the first page of the visitor's tab was opened from. */
    source: jsonb('source').$type<VisitSource>(),
    /** No foreign key, as for entries; triggers see to it that one that is not done names nobody who is deleted. */
    assignedTo: integer('assigned_to'),
    /** The conversation it was made from; the chat unlinks it when it deletes the conversation. */
    chatId: integer('chat_id'),
    /** Client id and a hash of the content: the two together identify one request. */
    clientId: text('client_id'),
    contentHash: text('content_hash'),
    /** What caught a suspected one; stays when it becomes a request. */
    trap: text('trap', { enum: traps }),
    /** When it was taken from the suspected ones, or thrown away from there: undone for a few seconds. */
    takenAt: moment('taken_at'),
    removedAt: moment('removed_at'),
    /** Checked at the end of the transaction: the request is stored before its mail. */
    mailId: integer('mail_id').references(() => mails.id, { onDelete: 'set null' }),
    /** Goals for the first reply and the solution; null for requests older than the goals. */
    respondBy: moment('respond_by'),
    resolveBy: moment('resolve_by'),
    firstReplyAt: moment('first_reply_at'),
    /** Since when the customer has to answer: the time until they do does not count. */
    waitingSince: moment('waiting_since'),
    lateNoticeAt: moment('late_notice_at'),
    /** The customer's page: each new link raises the generation; only the hash of its token is stored. */
    linkGeneration: integer('link_generation').notNull().default(1),
    linkHash: text('link_hash'),
    linkMadeAt: moment('link_made_at'),
    /** The request that this one was merged into; its number still leads there. */
    mergedIntoId: integer('merged_into_id').references((): AnyPgColumn => requests.id, { onDelete: 'set null' }),
    spamAt: moment('spam_at'),
    /** A legal hold: neither deletion, retention nor erasure removes it, its thread, files, mails and page. */
    onHold: boolean('on_hold').notNull().default(false),
    /** The outage it is about. */
    incidentId: integer('incident_id').references(() => networkIncidents.id, { onDelete: 'set null' }),
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    doneAt: moment('done_at'),
  },
  (table) => [
    index('requests_created').on(table.createdAt),
    index('requests_name').on(sql`search_text(${table.name})`, table.id),
    index('requests_phone').on(sql`regexp_replace(${table.phone}, '\\D', '', 'g') text_pattern_ops`),
    index('requests_status').on(table.status),
    index('requests_email').on(sql`lower(${table.email})`),
    index('requests_merged').on(table.mergedIntoId),
    index('requests_incident').on(table.incidentId),
    index('requests_assigned').on(table.assignedTo),
    index('requests_mail').on(table.mailId),
    // A conversation becomes one request.
    uniqueIndex('requests_chat').on(table.chatId),
    uniqueIndex('requests_client').on(table.clientId, table.contentHash),
    uniqueIndex('requests_link').on(table.linkHash),
    // Recent decisions are searched for each minute; almost no row has either value.
    index('requests_decided')
      .on(table.id)
      .where(sql`${table.removedAt} is not null or (${table.takenAt} is not null and ${table.mailId} is null)`),
  ],
)

/** Text by which the search finds a request and its thread, folded as `search_text` does; triggers maintain it. */
export const requestTexts = pgTable('request_texts', {
  requestId: integer('request_id')
    .primaryKey()
    .references(() => requests.id, { onDelete: 'cascade' }),
  text: text('text').notNull(),
})

/** One thread: what the customer and the staff wrote on any channel, internal comments and changes of state. */
export const requestEntries = pgTable(
  'request_entries',
  {
    id: serial('id').primaryKey(),
    requestId: integer('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: entryKinds }).notNull(),
    channel: text('channel', { enum: channels }).notNull(),
    /** No foreign key, as in the messages of a chat. */
    userId: integer('user_id'),
    author: text('author').notNull(),
    /** Sender of a mail, or the customer's address. */
    authorEmail: text('author_email').notNull().default(''),
    text: text('text').notNull(),
    /** The history that a mail quoted. */
    quoted: text('quoted').notNull().default(''),
    html: text('html'),
    /** What a change of state was. */
    event: jsonb('event').$type<RequestEvent>(),
    clientId: text('client_id'),
    /** `Message-ID` of a mail that came in. */
    messageId: text('message_id'),
    /** Whether the conversation of the request still has to receive it. */
    chatDue: boolean('chat_due').notNull().default(false),
    /** The request it belonged to before a merge, so that the merge can be undone. */
    mergedFromId: integer('merged_from_id').references(() => requests.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    index('request_entries_request').on(table.requestId, table.createdAt, table.id),
    index('request_entries_merged').on(table.mergedFromId),
    index('request_entries_user').on(table.userId),
    index('request_entries_message').on(table.messageId),
    index('request_entries_author_email').on(sql`lower(${table.authorEmail})`),
    uniqueIndex('request_entries_client').on(table.requestId, table.clientId),
    index('request_entries_chat_due')
      .on(table.id)
      .where(sql`${table.chatDue}`),
  ],
)

/** The mails that an entry led to, one a recipient. */
export const requestEntryMails = pgTable(
  'request_entry_mails',
  {
    mailId: integer('mail_id')
      .primaryKey()
      .references(() => mails.id, { onDelete: 'cascade' }),
    entryId: integer('entry_id')
      .notNull()
      .references(() => requestEntries.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: mailPurposes }).notNull(),
    bouncedAt: moment('bounced_at'),
    bounceReason: text('bounce_reason'),
  },
  (table) => [index('request_entry_mails_entry').on(table.entryId)],
)

export const requestFiles = pgTable(
  'request_files',
  {
    id: serial('id').primaryKey(),
    entryId: integer('entry_id')
      .notNull()
      .references(() => requestEntries.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type').notNull(),
    size: integer('size').notNull(),
    /** The conversation's file that its bytes are still being copied from. */
    chatFileId: integer('chat_file_id'),
  },
  (table) => [
    index('request_files_entry').on(table.entryId),
    index('request_files_due')
      .on(table.id)
      .where(sql`${table.chatFileId} is not null`),
  ],
)

/** The bytes in pieces: one large value blocks the embedded database, and with it the process, for seconds. */
export const requestFilePieces = pgTable(
  'request_file_pieces',
  {
    fileId: integer('file_id')
      .notNull()
      .references(() => requestFiles.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.position] })],
)

/** Requests that belong together without being one. */
export const requestLinks = pgTable(
  'request_links',
  {
    requestId: integer('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
    otherId: integer('other_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
    /** What the customer wrote in the other one, which ended too long ago, began the first one. */
    continues: boolean('continues').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.otherId] }), index('request_links_other').on(table.otherId)],
)

/** Senders whose mail makes no request, by address in lower case. */
export const requestBlocks = pgTable(
  'request_blocks',
  {
    email: text('email').primaryKey(),
    requestId: integer('request_id').references(() => requests.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('request_blocks_request').on(table.requestId)],
)

/** Users who have a request open now, and whether they are writing. */
export const requestPresence = pgTable(
  'request_presence',
  {
    requestId: integer('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lastSeenAt: moment('last_seen_at').notNull(),
    writingAt: moment('writing_at'),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.userId] }), index('request_presence_user').on(table.userId)],
)

/** One row, or none before the first save. */
export const requestSettingsTable = pgTable('request_settings', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
  settings: jsonb('settings').$type<Omit<RequestSettings, 'version'>>().notNull(),
})

/** Every mail that came in, so that each is taken once. */
export const inboxMails = pgTable(
  'inbox_mails',
  {
    id: serial('id').primaryKey(),
    uidValidity: bigint('uid_validity', { mode: 'number' }).notNull(),
    uid: bigint('uid', { mode: 'number' }).notNull(),
    /** Hash of what identifies a mail wherever it lies; null where it could not be read. */
    digest: text('digest'),
    state: text('state', { enum: inboxStates }).notNull(),
    /** Why it waits or could not be read. */
    reason: text('reason'),
    messageId: text('message_id'),
    fromAddress: text('from_address').notNull().default(''),
    fromName: text('from_name').notNull().default(''),
    subject: text('subject').notNull().default(''),
    size: integer('size').notNull(),
    receivedAt: moment('received_at').notNull(),
    takenAt: moment('taken_at').notNull().defaultNow(),
    entryId: integer('entry_id').references(() => requestEntries.id, { onDelete: 'set null' }),
    /** Whether it was marked as read and moved in the mailbox. */
    isFiled: boolean('is_filed').notNull().default(false),
  },
  (table) => [
    uniqueIndex('inbox_mails_uid').on(table.uidValidity, table.uid),
    uniqueIndex('inbox_mails_digest').on(table.digest),
    index('inbox_mails_entry').on(table.entryId),
    index('inbox_mails_from').on(table.fromAddress, table.receivedAt),
    index('inbox_mails_state').on(table.state),
  ],
)

/** The mail as it came, in pieces. */
export const inboxPieces = pgTable(
  'inbox_pieces',
  {
    mailId: integer('mail_id')
      .notNull()
      .references(() => inboxMails.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mailId, table.position] })],
)

/** One row: which instance reads the mailbox, and how the last pass went. */
export const inboxState = pgTable('inbox_state', {
  id: integer('id').primaryKey(),
  holder: text('holder'),
  heldUntil: moment('held_until'),
  lastPassAt: moment('last_pass_at'),
  lastError: text('last_error'),
  lastNoticeAt: moment('last_notice_at'),
})

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
