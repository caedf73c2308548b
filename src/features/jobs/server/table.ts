import { boolean, date, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import type { EmploymentType } from '../values.ts'

export const jobs = pgTable('jobs', {
  id: serial('id').primaryKey(),
  title: text('title').notNull(),
  titleEn: text('title_en').notNull().default(''),
  description: text('description').notNull(),
  descriptionEn: text('description_en').notNull().default(''),
  isPublished: boolean('is_published').notNull().default(true),
  opensOn: date('opens_on', { mode: 'string' }),
  closesOn: date('closes_on', { mode: 'string' }),
  employmentType: text('employment_type').$type<EmploymentType>(),
  englishOlder: jsonb('english_older').$type<EnglishOlder>().notNull().default({}),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
