import { integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import type { PageText, TextName } from '../contract.ts'
import type { TextSource } from './markdown.ts'

/** One row for each long text; without a source, its file in `company/texts` is shown. */
export const longTexts = pgTable('long_texts', {
  id: serial('id').primaryKey(),
  name: text('name').$type<TextName>().notNull().unique(),
  french: jsonb('french').$type<TextSource>(),
  english: jsonb('english').$type<TextSource>(),
  englishOlder: jsonb('english_older').$type<EnglishOlder>().notNull().default({}),
  version: integer('version').notNull().default(1),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Each wording of the policy that visitors were shown, with the values that it named then. */
export const policyVersions = pgTable('policy_versions', {
  id: serial('id').primaryKey(),
  french: jsonb('french').$type<PageText>().notNull(),
  english: jsonb('english').$type<PageText>().notNull(),
  since: timestamp('since', { withTimezone: true }).notNull().defaultNow(),
})

/** What the office wrote for search results and shared links; without a row, a page speaks for itself. */
export const pageDescriptions = pgTable('page_descriptions', {
  path: text('path').primaryKey(),
  title: text('title').notNull(),
  titleEn: text('title_en').notNull(),
  description: text('description').notNull(),
  descriptionEn: text('description_en').notNull(),
  /** Address of a stored picture; empty: the page's own. */
  picture: text('picture').notNull(),
  version: integer('version').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
