import { index, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'

export type AnnouncementCounts = { to: number; waiting: number; sent: number; bounced: number; left: number }

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** A mail of the office to the subscribers of its news. */
export const announcements = pgTable(
  'network_announcements',
  {
    id: serial('id').primaryKey(),
    subject: text('subject').notNull(),
    subjectEn: text('subject_en').notNull(),
    text: text('text').notNull(),
    textEn: text('text_en').notNull(),
    /** Name of who sent it, as it was then. */
    author: text('author').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Until then it can be undone. */
    mailsAt: instant('mails_at').notNull(),
    undoneAt: instant('undone_at'),
    /** Null while mails are still to be queued. */
    mailedAt: instant('mailed_at'),
    /** Once who got it is forgotten; null before, when it is counted. */
    counts: jsonb('counts').$type<AnnouncementCounts>(),
  },
  (table) => [index('network_announcements_mails_at').on(table.mailsAt)],
)
