import { date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { visitKinds } from '../values.ts'

const count = (name: string) => integer(name).notNull().default(0)

/** How often each page, domain, campaign, language and kind of screen was seen in a day of the company; nothing about who. */
export const visitCounts = pgTable(
  'visit_counts',
  {
    day: date('day').notNull(),
    kind: text('kind', { enum: visitKinds }).notNull(),
    key: text('key').notNull(),
    views: count('views'),
    visits: count('visits'),
    forms: count('forms'),
    formsBegun: count('forms_begun'),
    chats: count('chats'),
    chatsBegun: count('chats_begun'),
  },
  (table) => [primaryKey({ columns: [table.day, table.kind, table.key] }), index('visit_counts_kind').on(table.kind, table.day)],
)
