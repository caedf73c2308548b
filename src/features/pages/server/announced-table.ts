import { pgTable, text } from 'drizzle-orm/pg-core'

/** What search engines were told by IndexNow: the path of each page, and when what it shows was changed; empty where not known. */
export const announcedPages = pgTable('announced_pages', {
  path: text('path').primaryKey(),
  changedAt: text('changed_at').notNull(),
})
