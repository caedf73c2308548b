import { boolean, index, integer, pgTable, serial, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Every update that was announced; the newest that is not over is the alert. */
export const updateWindows = pgTable(
  'update_windows',
  {
    id: serial('id').primaryKey(),
    /** The name under which calendars know it, for good. */
    uid: uuid('uid').notNull().defaultRandom(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    message: text('message').notNull(),
    messageEn: text('message_en').notNull(),
    public: boolean('public').notNull(),
    /** Since when calendars may hold it. */
    publishedAt: instant('published_at'),
    /** When it was removed or replaced; before its start, it never took place. */
    closedAt: instant('closed_at'),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('update_windows_ends_at').on(table.endsAt)],
)
