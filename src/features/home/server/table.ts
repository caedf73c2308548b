import { integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { publicationColumns } from '#src/features/content/server/schedule.ts'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'

const updatedAt = () => timestamp('updated_at', { withTimezone: true }).notNull().defaultNow()
const englishOlder = () => jsonb('english_older').$type<EnglishOlder>().notNull().default({})

export const homeMessages = pgTable('home_messages', {
  id: serial('id').primaryKey(),
  title: text('title').notNull().default(''),
  titleEn: text('title_en').notNull().default(''),
  message: text('message').notNull(),
  messageEn: text('message_en').notNull().default(''),
  ...publicationColumns(),
  englishOlder: englishOlder(),
  version: integer('version').notNull().default(1),
  updatedAt: updatedAt(),
})

export const homeInformations = pgTable('home_informations', {
  id: serial('id').primaryKey(),
  title: text('title').notNull().default(''),
  titleEn: text('title_en').notNull().default(''),
  description: text('description').notNull(),
  descriptionEn: text('description_en').notNull().default(''),
  ...publicationColumns(),
  englishOlder: englishOlder(),
  version: integer('version').notNull().default(1),
  updatedAt: updatedAt(),
})
