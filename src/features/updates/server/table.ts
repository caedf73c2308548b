import { boolean, index, integer, jsonb, pgTable, serial, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { ElementReference } from '../contract.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Every announced update; the newest one that is not over is the alert. */
export const updateWindows = pgTable(
  'update_windows',
  {
    id: serial('id').primaryKey(),
    /** Permanent UID in calendars. */
    uid: uuid('uid').notNull().defaultRandom(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    message: text('message').notNull(),
    messageEn: text('message_en').notNull(),
    public: boolean('public').notNull(),
    elements: jsonb('elements').$type<ElementReference[]>().notNull().default([]),
    /** Time since which calendars may contain it. */
    publishedAt: instant('published_at'),
    /** Time of its removal or replacement; before its start, it never took place. */
    closedAt: instant('closed_at'),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('update_windows_ends_at').on(table.endsAt)],
)
