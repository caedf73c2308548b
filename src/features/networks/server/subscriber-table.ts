import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, serial, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { subscriberStates } from '../subscription.ts'
import { topics } from '../values.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Who asked for mails of the network status. One who left stays until the end of the retention period, as proof of consent. */
export const subscribers = pgTable(
  'network_subscribers',
  {
    id: serial('id').primaryKey(),
    email: text('email').notNull(),
    language: text('language', { enum: ['fr', 'en'] }).notNull(),
    /** Null: all of them, those to come too. */
    networks: integer('networks').array(),
    topics: text('topics', { enum: topics }).array().notNull(),
    state: text('state', { enum: subscriberStates }).notNull().default('pending'),
    consentText: text('consent_text').notNull(),
    consentAt: instant('consent_at').notNull(),
    /** The network address that the consent came from. */
    consentAddress: text('consent_address').notNull(),
    confirmedAt: instant('confirmed_at'),
    leftAt: instant('left_at'),
    /** The last mail with a link that the person asked for: one a day at most. */
    linkSentAt: instant('link_sent_at').notNull(),
    linkGeneration: integer('link_generation').notNull().default(1),
    /** Hash of the token of the links; the token is computed anew for each mail. */
    linkHash: text('link_hash'),
    bounces: integer('bounces').notNull().default(0),
    bounceReason: text('bounce_reason').notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('network_subscribers_email').on(sql`lower(${table.email})`),
    uniqueIndex('network_subscribers_link_hash').on(table.linkHash),
    index('network_subscribers_state').on(table.state, table.id),
    index('network_subscribers_created_at').on(table.createdAt),
  ],
)

/** One notice to all of its subscribers, such as `update/12`. */
export const mailings = pgTable('network_mailings', {
  key: text('key').primaryKey(),
  startedAt: instant('started_at').notNull().defaultNow(),
  /** Null while mails are still to be queued. */
  doneAt: instant('done_at'),
})

/** Whose mail of a mailing is queued: nobody gets a second one, whatever is interrupted. */
export const mailingRecipients = pgTable(
  'network_mailing_recipients',
  {
    mailing: text('mailing')
      .notNull()
      .references(() => mailings.key, { onDelete: 'cascade' }),
    subscriberId: integer('subscriber_id')
      .notNull()
      .references(() => subscribers.id, { onDelete: 'cascade' }),
    mailId: integer('mail_id'),
    bouncedAt: instant('bounced_at'),
  },
  (table) => [
    primaryKey({ columns: [table.mailing, table.subscriberId] }),
    index('network_mailing_recipients_mail').on(table.mailId),
    index('network_mailing_recipients_subscriber').on(table.subscriberId),
  ],
)
