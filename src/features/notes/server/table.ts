import { index, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { publicationColumns } from '#src/features/content/server/schedule.ts'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'

export const notes = pgTable(
  'notes',
  {
    id: serial('id').primaryKey(),
    date: text('note_date').notNull(),
    note: text('note').notNull(),
    noteEn: text('note_en').notNull().default(''),
    ...publicationColumns(),
    englishOlder: jsonb('english_older').$type<EnglishOlder>().notNull().default({}),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('notes_created').on(table.createdAt, table.id), index('notes_updated').on(table.updatedAt)],
)
