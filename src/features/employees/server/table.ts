import { boolean, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import { departments } from '../values.ts'

export const employees = pgTable('employees', {
  id: serial('id').primaryKey(),
  name: text('name').notNull(),
  department: text('department', { enum: departments }).notNull(),
  subDepartment: text('sub_department', { enum: departments }).notNull(),
  title: text('title').notNull(),
  titleEn: text('title_en').notNull(),
  email: text('email').notNull(),
  description: text('description').notNull(),
  descriptionEn: text('description_en').notNull(),
  photo: text('photo'),
  isPublished: boolean('is_published').notNull().default(true),
  englishOlder: jsonb('english_older').$type<EnglishOlder>().notNull().default({}),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
