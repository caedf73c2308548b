import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, serial, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { EnglishOlder } from '#src/lib/english-older.ts'

/** Answers that technicians keep ready, each in both languages under one shortcut. */
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
