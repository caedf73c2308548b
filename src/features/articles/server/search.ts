import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineContent } from '#src/features/content/server/content.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { SearchResult } from '#src/lib/schemas.ts'
import { searchResult } from '#src/lib/schemas.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { trimInvisible } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import type { SearchEntry, SearchSource } from '#src/server/search/search.ts'
import { splitWords } from '#src/server/search/words.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { GlossaryInput, GlossaryPair, SearchMiss } from '../contract.ts'
import { glossaryInput, glossaryPair, searchMiss, searchQuery } from '../contract.ts'
import { articles as feature } from '../feature.ts'
import { pathOfArticle } from '../values.ts'
import { commonPairs } from './common-terms.ts'
import { isShown } from './service.ts'
import { articles, glossaryTerms, searchMisses } from './table.ts'

const perMinute = { points: 60, seconds: 60 }
const shortest = 2
const longest = 200
/** Searches without a result are stored for so long after the last one. */
export const missDays = 90
const mostMisses = 10_000
const longestMiss = 100
/** A search is without result once nobody goes on typing it. */
const settled = 3_000

/** Articles for the search: only those that changed are read again. */
export const articleSource: SearchSource = {
  areas: ['articles'],
  findPairs: (app) => readPairs(app),
  async findStamps({ db }) {
    const rows = await db.select({ id: articles.id, version: articles.version }).from(articles).where(isShown)
    return new Map(rows.map(({ id, version }) => [keyOf(id), String(version)]))
  },
  async load({ db }, keys) {
    const ids = keys.map((key) => Number(key.slice(keyOf('').length)))
    const rows = await db
      .select()
      .from(articles)
      .where(and(inArray(articles.id, ids), isShown))
    return rows.map((row): SearchEntry => ({
      key: keyOf(row.id),
      kind: 'article',
      title: { fr: row.title, en: row.titleEn },
      text: { fr: textOfHtml(row.body), en: textOfHtml(row.bodyEn) },
      keywords: { fr: row.keywords, en: row.keywordsEn },
      url: {
        fr: pathOfArticle('fr', { slug: row.slug, slug_en: row.slugEn }),
        en: pathOfArticle('en', { slug: row.slug, slug_en: row.slugEn }),
      },
    }))
  },
}

const keyOf = (id: number | '') => `article-${id}`

export const glossaryContent = defineContent<typeof glossaryTerms, GlossaryPair, GlossaryInput>({
  entry: feature.entries[1],
  input: glossaryInput,
  idKey: 'id_terme',
  nameOf: ({ terme, terme_en }) => `${terme} = ${terme_en}`,
  table: glossaryTerms,
  orderBy: [asc(glossaryTerms.term), asc(glossaryTerms.id)],
  toEntity: (row) => ({
    id_terme: row.id,
    terme: row.term,
    terme_en: row.termEn,
    created_at: row.createdAt.toISOString(),
    version: row.version,
  }),
  toRow: ({ terme, terme_en }) => ({ term: terme.trim(), termEn: terme_en.trim() }),
})

const readPairs = ({ content, db }: App) =>
  content.read('articles', 'glossary', async () => [
    ...commonPairs,
    ...(await glossaryContent.findAll(db)).map(({ terme, terme_en }) => [terme, terme_en] as const),
  ])

/**
 * What a visitor may find, best first. Counts against the limit of the address; throws `Limited`. A search without result is
 * stored by its words.
 */
export async function search(
  app: App,
  text: string,
  language: Language,
  limit: number,
  address: string,
): Promise<SearchResult[]> {
  await app.limits.take('search', address, perMinute)
  const q = trimInvisible(text)
  if (q.length < shortest || q.length > longest) return []
  const found = await app.siteSearch.find(q, language, limit)
  pendingOf(app).note(address, found.length === 0 ? missOf(q) : '', language)
  return found.map(({ key: _key, kind, ...rest }) => searchResult.parse({ kind, ...rest }))
}

/** The words of a search without those that may name somebody: addresses and numbers of people. */
function missOf(text: string) {
  const safe = text.replaceAll(/\S*@\S*/g, ' ').replaceAll(/\+?\d[\d\s().-]{5,}\d/g, ' ')
  return splitWords(safe).join(' ').slice(0, longestMiss).trim()
}

type Pending = ReturnType<typeof createPending>
/** By database: each plugin of the server gets an object of its own for the application. */
const pending = new WeakMap<Database, Pending>()

function pendingOf(app: App) {
  const found = pending.get(app.db) ?? createPending(app)
  pending.set(app.db, found)
  return found
}

/** Waits until somebody stops typing: only their last search counts. Addresses are in memory for these seconds alone. */
function createPending(app: App) {
  const waiting = new Map<string, { words: string; language: Language; timer: NodeJS.Timeout }>()
  const store = async (key: string) => {
    const one = waiting.get(key)
    waiting.delete(key)
    if (!one) return
    clearTimeout(one.timer)
    if (one.words !== '') await storeMiss(app.db, one.words, one.language)
  }
  const flush = async () => {
    for (const key of [...waiting.keys()]) await store(key)
  }
  return {
    note(address: string, words: string, language: Language) {
      const before = waiting.get(address)
      if (before && before.words !== words && !words.startsWith(before.words) && words !== '') void storeSafely(address)
      clearTimeout(waiting.get(address)?.timer)
      waiting.set(address, { words, language, timer: setTimeout(() => void storeSafely(address), settled).unref() })
    },
    flush,
  }
  async function storeSafely(key: string) {
    try {
      await store(key)
    } catch (error) {
      app.log.warn({ err: error }, 'a search without result was not counted')
    }
  }
}

async function storeMiss(db: Database, words: string, language: Language) {
  const isFull =
    (await db.$count(db.select({ words: searchMisses.words }).from(searchMisses).limit(mostMisses).as('all'))) >= mostMisses
  const counted = { count: sql`${searchMisses.count} + 1`, last: sql`now()` }
  if (isFull) {
    await db
      .update(searchMisses)
      .set(counted)
      .where(and(eq(searchMisses.words, words), eq(searchMisses.language, language)))
    return
  }
  await db
    .insert(searchMisses)
    .values({ words, language })
    .onConflictDoUpdate({ target: [searchMisses.words, searchMisses.language], set: counted })
}

/** Removes searches that nobody made since `before`; returns their number. */
export async function purgeMisses(db: Database, before: Date, limit: number) {
  const old = db
    .select({ words: searchMisses.words, language: searchMisses.language })
    .from(searchMisses)
    .where(lt(searchMisses.last, before))
    .limit(limit)
  const removed = await db
    .delete(searchMisses)
    .where(sql`(${searchMisses.words}, ${searchMisses.language}) in ${old}`)
    .returning({ words: searchMisses.words })
  return removed.length
}

/** Searches without result, most frequent first. */
async function findMisses(app: App): Promise<SearchMiss[]> {
  await pendingOf(app).flush()
  const rows = await app.db
    .select()
    .from(searchMisses)
    .orderBy(desc(searchMisses.count), desc(searchMisses.last), asc(searchMisses.words))
    .limit(500)
  return rows.map((row) => ({ ...row, last: row.last.toISOString() }))
}

/** `/public_api/search`. */
export const searchRoutes: Routes = async (app) => {
  app.addHook('onClose', () =>
    pendingOf(app)
      .flush()
      .catch((error: unknown) => app.log.warn({ err: error }, 'searches not counted')),
  )
  app.get(
    '/',
    { config: { access: 'public' }, schema: { querystring: searchQuery, response: { 200: z.array(searchResult) } } },
    async ({ query, ip }) => search(app, query.q, query.language, query.limit, ip),
  )
}

/** `/api/articles/glossary`. */
export const glossaryRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'articles read_only' }, schema: { response: { 200: z.array(glossaryPair) } } }, () =>
    glossaryContent.findAll(app.db),
  )
  registerContentRoutes(app, {
    content: glossaryContent,
    output: glossaryPair,
    access: { read: 'articles read_only', write: 'articles read_write' },
  })
}

/** `/api/articles/searches`. */
export const missRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'articles read_write' }, schema: { response: { 200: z.array(searchMiss) } } }, () =>
    findMisses(app),
  )
}
