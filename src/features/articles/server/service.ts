import { createHmac } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, lt, lte, ne, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import type { ImportWriter, WebPage } from '#src/features/content/server/importing.ts'
import { checkBy, cleanPage, cut } from '#src/features/content/server/importing.ts'
import { withStoredPictures } from '#src/features/content/server/pictures.ts'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import { limits } from '#src/lib/schemas.ts'
import type { Language } from '#src/lib/language/language.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import { mostCounted } from '#src/lib/lists.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { NotFound, Problem } from '#src/server/problems.ts'
import { keyFor } from '#src/server/secrets/keys.ts'
import type { Article, ArticleInput, ArticleTitle } from '../contract.ts'
import { articleInput, reasonForDraft } from '../contract.ts'
import { articles as feature } from '../feature.ts'
import { articlePairs, articlesPerPage, slugMax } from '../values.ts'
import { articleReads, articles, articleSlugs, articleVotes } from './table.ts'

const mostReadShown = 5

export const articleContent = defineContent<typeof articles, Article, ArticleInput>({
  entry: feature.entries[0],
  input: articleInput,
  idKey: 'id_article',
  nameOf: (article) => article.titre || article.titre_en,
  table: articles,
  orderBy: [desc(articles.id)],
  pairs: articlePairs,
  toEntity: (row) => ({
    id_article: row.id,
    slug: row.slug,
    slug_en: row.slugEn,
    titre: row.title,
    titre_en: row.titleEn,
    corps: row.body,
    corps_en: row.bodyEn,
    categorie: row.category,
    public: row.isPublic,
    publie: row.isPublished,
    mots_cles: row.keywords,
    mots_cles_en: row.keywordsEn,
    a_revoir_le: row.reviewOn,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: toArticleRow,
  fromFormer: async (db, former) => {
    const [corps = '', corps_en = ''] = await withStoredPictures(db, [former.corps, former.corps_en])
    return { ...former, corps, corps_en }
  },
  onChange: async (tx, _author, _before, after) => {
    if (after) await claimSlugs(tx, after)
  },
})

function toArticleRow(input: ArticleInput) {
  const body = cleanRichText(input.corps, 'corps', { pictures: true })
  return {
    slug: input.slug,
    slugEn: input.slug_en,
    title: input.titre,
    titleEn: input.titre_en,
    body,
    bodyEn: cleanRichText(input.corps_en, 'corps_en', { pictures: true }),
    category: input.categorie.trim(),
    isPublic: input.public,
    isPublished: input.publie && reasonForDraft({ ...input, corps: body }) === null,
    keywords: input.mots_cles,
    keywordsEn: input.mots_cles_en,
    reviewOn: input.a_revoir_le,
  }
}

/** Takes the addresses of an article; refuses one that leads, or once led, to another article that exists. */
async function claimSlugs(tx: Database, { id_article: articleId, slug, slug_en }: Article) {
  for (const [path, one] of [
    ['slug', slug],
    ['slug_en', slug_en],
  ] as const) {
    if (one === '') continue
    const isFree = or(
      eq(articleSlugs.articleId, articleId),
      sql`not exists (select from ${articles} where ${articles.id} = ${articleSlugs.articleId})`,
    )
    const taken = await tx
      .insert(articleSlugs)
      .values({ slug: one, articleId })
      .onConflictDoUpdate({ target: articleSlugs.slug, set: { articleId }, setWhere: isFree })
      .returning()
    if (taken.length > 0) continue
    const errors = [{ path, message: 'taken' }]
    throw new Problem(409, 'Conflict', 'This address leads to another article. Choose another one.', { errors })
  }
}

/** Fills in the addresses that were left empty: those that the article has, or new ones from its titles. */
export async function withSlugs(db: Database, input: ArticleInput, id?: number): Promise<ArticleInput> {
  const [current] = id === undefined ? [] : await db.select().from(articles).where(eq(articles.id, id))
  const slug = input.slug || current?.slug || (await findFreeSlug(db, input.titre, id))
  const slug_en = input.slug_en || current?.slugEn || (await findFreeSlug(db, input.titre_en, id, slug))
  return { ...input, slug, slug_en }
}

async function findFreeSlug(db: Database, title: string, id = 0, used = '') {
  if (title.trim() === '') return ''
  const wanted = slugOf(title) || 'article'
  const candidates = [wanted, ...Array.from({ length: 50 }, (_, index) => `${wanted}-${index + 2}`)]
  const rows = await db
    .select({ slug: articleSlugs.slug })
    .from(articleSlugs)
    .innerJoin(articles, eq(articles.id, articleSlugs.articleId))
    .where(and(inArray(articleSlugs.slug, candidates), ne(articleSlugs.articleId, id)))
  const taken = new Set([...rows.map(({ slug }) => slug), used])
  return candidates.find((one) => !taken.has(one)) ?? wanted
}

/** The address that a title gives: `Mon téléphone est muet` is `mon-telephone-est-muet`; empty without Latin letters or digits. */
function slugOf(title: string) {
  const words = foldText(title)
    .replaceAll(/[^a-z\d]+/g, '-')
    .split('-')
    .filter(Boolean)
  let slug = ''
  for (const word of words) {
    const longer = slug ? `${slug}-${word}` : word
    if (longer.length > slugMax) break
    slug = longer
  }
  return slug
}

export const isShown = and(eq(articles.isPublished, true), eq(articles.isPublic, true))

/** A page of the articles, newest first, and how many there are: those that visitors see, or all for staff. */
export async function findArticles(db: Database, isStaff: boolean, page: number) {
  const where = isStaff ? undefined : isShown
  const rows = await db
    .select()
    .from(articles)
    .where(where)
    .orderBy(desc(articles.id))
    .limit(articlesPerPage)
    .offset((page - 1) * articlesPerPage)
  const total = await db.$count(db.select({ id: articles.id }).from(articles).where(where).limit(mostCounted).as('counted'))
  return { rows: rows.map(articleContent.toEntity), total }
}

/** Characters of HTML that are read in a minute. */
const charactersPerMinute = 1_300
const minutesOf = (column: typeof articles.body | typeof articles.bodyEn) =>
  sql<number>`greatest(1, round(length(${column}) / ${charactersPerMinute}::numeric))::integer`
const votesFor = (isHelpful: boolean) =>
  sql<number>`(select count(*)::integer from ${articleVotes} where ${articleVotes.articleId} = ${articles.id} and ${articleVotes.isHelpful} = ${isHelpful})`

/** The titles of all articles that visitors see, or of all for staff, in the order of the alphabet. */
export async function findTitles(db: Database, isStaff: boolean): Promise<ArticleTitle[]> {
  const rows = await db
    .select({
      id_article: articles.id,
      slug: articles.slug,
      slug_en: articles.slugEn,
      titre: articles.title,
      titre_en: articles.titleEn,
      categorie: articles.category,
      public: articles.isPublic,
      publie: articles.isPublished,
      a_revoir_le: articles.reviewOn,
      updatedAt: articles.updatedAt,
      minutes: minutesOf(articles.body),
      minutes_en: minutesOf(articles.bodyEn),
      helpful: isStaff ? votesFor(true) : sql<number>`0`,
      not_helpful: isStaff ? votesFor(false) : sql<number>`0`,
    })
    .from(articles)
    .where(isStaff ? undefined : isShown)
    .orderBy(asc(sql`search_text(${articles.title})`), asc(articles.id))
  return rows.map(({ updatedAt, ...row }) => ({ ...row, updated_at: updatedAt.toISOString() }))
}

export const readTitles = ({ content, db }: Reader) => content.read('articles', 'titles', () => findTitles(db, false))

/** The article at this address, current or former, for visitors. */
export function readArticle({ content, db }: Reader, slug: string) {
  return content.read('articles', `at ${slug}`, async () => {
    const [row] = await db
      .select({ article: articles })
      .from(articles)
      .innerJoin(articleSlugs, eq(articleSlugs.articleId, articles.id))
      .where(and(eq(articleSlugs.slug, slug), isShown))
    if (!row) throw new NotFound('This entry does not exist.')
    return articleContent.toEntity(row.article)
  })
}

/** Every address that leads to an article, former ones too. */
export async function findEntryAddresses(db: Database) {
  const rows = await db
    .select({ slug: articleSlugs.slug, fr: articles.title, en: articles.titleEn, isPublished: sql<boolean>`${isShown}` })
    .from(articleSlugs)
    .innerJoin(articles, eq(articleSlugs.articleId, articles.id))
    .orderBy(asc(articleSlugs.slug))
  return rows.map(({ slug, fr, en, isPublished }) => ({
    path: `/aide/${slug}`,
    title: { fr, en },
    isPublished,
    area: 'articles' as const,
  }))
}

/** The newest articles that visitors see, for feeds. */
export function readNewest({ content, db }: Reader) {
  return content.read('articles', 'newest', async () => {
    const rows = await db.select().from(articles).where(isShown).orderBy(desc(articles.updatedAt), desc(articles.id)).limit(30)
    return rows.map(articleContent.toEntity)
  })
}

/** How many articles were to be reviewed by today. */
export async function countToReview(db: Database) {
  return db.$count(articles, lte(articles.reviewOn, dayIn(company.hours.timeZone, new Date())))
}

/** Stores the answer of a browser; a later one replaces it. `browser` is stored as a keyed hash. */
export async function vote(db: Database, articleId: number, browser: string, isHelpful: boolean) {
  const [found] = await db
    .select({ id: articles.id })
    .from(articles)
    .where(and(eq(articles.id, articleId), isShown))
  if (!found) throw new NotFound('This entry does not exist.')
  const hash = createHmac('sha256', keyFor(db, 'fingerprint')).update(`article-vote ${browser}`).digest('base64url')
  await db
    .insert(articleVotes)
    .values({ articleId, browser: hash, isHelpful })
    .onConflictDoUpdate({ target: [articleVotes.articleId, articleVotes.browser], set: { isHelpful } })
}

const readToday = () => dayIn(company.hours.timeZone, new Date())

/** Counts that an article was read today. */
export async function countRead(db: Database, articleId: number) {
  const [found] = await db
    .select({ id: articles.id })
    .from(articles)
    .where(and(eq(articles.id, articleId), isShown))
  if (!found) throw new NotFound('This entry does not exist.')
  await db
    .insert(articleReads)
    .values({ articleId, day: readToday() })
    .onConflictDoUpdate({ target: [articleReads.day, articleReads.articleId], set: { count: sql`${articleReads.count} + 1` } })
}

/** The articles read most in the last seven days, the first one most. */
export function readMostRead({ content, db }: Reader) {
  return content.read('articles', 'most read', async () => {
    const rows = await db
      .select({ id: articles.id })
      .from(articleReads)
      .innerJoin(articles, eq(articles.id, articleReads.articleId))
      .where(and(gt(articleReads.day, addDays(readToday(), -7)), isShown))
      .groupBy(articles.id)
      .orderBy(desc(sql`sum(${articleReads.count})`), asc(articles.id))
      .limit(mostReadShown)
    return rows.map(({ id }) => id)
  })
}

export async function purgeReads(db: Database, before: Date, limit: number) {
  const old = db
    .select({ articleId: articleReads.articleId, day: articleReads.day })
    .from(articleReads)
    .where(lt(articleReads.day, dayIn(company.hours.timeZone, before)))
    .limit(limit)
  const removed = await db
    .delete(articleReads)
    .where(sql`(${articleReads.articleId}, ${articleReads.day}) in ${old}`)
    .returning({ id: articleReads.articleId })
  return removed.length
}

/** Articles of the company folder, with the typography of each language and an address from each title. */
export async function sampleRows() {
  // Loaded here, because they are used once in the life of a database.
  const { sampleArticles } = await import('#company/sample-articles/all.ts')
  return sampleArticles.map((given) => {
    // An apostrophe before a link has no letter after it.
    const set = (text: string, language: Language) => setTypography(text, language).replaceAll(/(?<=\p{L})'(?=<)/gu, '’')
    const row = articleInput.parse({
      ...given,
      slug: slugOf(given.titre),
      slug_en: slugOf(given.titre_en),
      titre: set(given.titre, 'fr'),
      titre_en: set(given.titre_en, 'en'),
      corps: set(given.corps, 'fr'),
      corps_en: set(given.corps_en, 'en'),
      mots_cles: set(given.mots_cles, 'fr'),
      mots_cles_en: set(given.mots_cles_en, 'en'),
    })
    return toArticleRow(row)
  })
}

/** Pages of another site, as drafts with an address of their own. */
export const articlePages: ImportWriter = {
  ...articleContent.importer,
  label: { fr: 'articles d’aide', en: 'help articles' },
  async check(values) {
    const { title, title_en, html, html_en, category } = values as WebPage
    const titles = { titre: cut(title, limits.title), titre_en: cut(title_en, limits.title) }
    const bodies = { corps: cleanPage(html, { pictures: true }), corps_en: cleanPage(html_en, { pictures: true }) }
    return checkBy(articleInput, { ...titles, ...bodies, categorie: category.slice(0, 60), publie: false })
  },
  async create(tx, values) {
    const ids: number[] = []
    for (const one of values as ArticleInput[])
      ids.push(...(await articleContent.importer.create(tx, [await withSlugs(tx, one)])))
    return ids
  },
  async update(tx, id, values) {
    await articleContent.importer.update(tx, id, await withSlugs(tx, values as ArticleInput, id))
  },
  async findPages(db, ids) {
    const rows = await db
      .select({ id: articles.id, fr: articles.slug, en: articles.slugEn })
      .from(articles)
      .where(inArray(articles.id, ids))
    return new Map(rows.map(({ id, fr, en }) => [id, { fr: `/aide/${fr || en}`, en: `/aide/${en || fr}?lang=en` }]))
  },
}
