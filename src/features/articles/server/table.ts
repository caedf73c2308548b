import { boolean, date, index, integer, jsonb, pgTable, primaryKey, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'

export const articles = pgTable(
  'articles',
  {
    id: serial('id').primaryKey(),
    slug: text('slug').notNull().default(''),
    slugEn: text('slug_en').notNull().default(''),
    title: text('title').notNull().default(''),
    titleEn: text('title_en').notNull().default(''),
    body: text('body').notNull().default(''),
    bodyEn: text('body_en').notNull().default(''),
    category: text('category').notNull().default(''),
    isPublic: boolean('is_public').notNull().default(true),
    isPublished: boolean('is_published').notNull().default(true),
    keywords: text('keywords').notNull().default(''),
    keywordsEn: text('keywords_en').notNull().default(''),
    reviewOn: date('review_on', { mode: 'string' }),
    englishOlder: jsonb('english_older').$type<EnglishOlder>().notNull().default({}),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('articles_review_on').on(table.reviewOn)],
)

/** Every address that ever led to an article. They stay when it is deleted, so that a restored one is found again. */
export const articleSlugs = pgTable(
  'article_slugs',
  { slug: text('slug').primaryKey(), articleId: integer('article_id').notNull() },
  (table) => [index('article_slugs_article').on(table.articleId)],
)

/** One answer of each browser to "Was this helpful?"; `browser` is a keyed hash. */
export const articleVotes = pgTable(
  'article_votes',
  {
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    browser: text('browser').notNull(),
    isHelpful: boolean('is_helpful').notNull(),
    at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.browser] })],
)

/** How often an article was read on a day, without anything about the readers. */
export const articleReads = pgTable(
  'article_reads',
  {
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    count: integer('count').notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.day, table.articleId] }), index('article_reads_article').on(table.articleId)],
)

/** Terms of both languages that mean the same, for the search. */
export const glossaryTerms = pgTable('glossary_terms', {
  id: serial('id').primaryKey(),
  term: text('term').notNull(),
  termEn: text('term_en').notNull(),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Searches without a result, by their words alone. */
export const searchMisses = pgTable(
  'search_misses',
  {
    words: text('words').notNull(),
    language: text('language').$type<'fr' | 'en'>().notNull(),
    count: integer('count').notNull().default(1),
    last: timestamp('last', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.words, table.language] }),
    index('search_misses_count').on(table.count),
    index('search_misses_last').on(table.last),
  ],
)
