import type { SQL } from 'drizzle-orm'
import { and, desc, like, or, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { likePatterns } from '#src/lib/text/plain-text.ts'
import type { Database } from '../database/database.ts'

/* Searches of the texts that a table stores for them, folded by `search_text`: one text an entry, found by all words. */

export type SearchedTable = { table: PgTable; id: PgColumn; text: PgColumn; hasSigns?: boolean }

/** A text contains the word if it matches one of the patterns. */
export type SearchedWord = readonly string[]

/** Each word once, the longest first, without those that another word contains. */
export function splitSearch(search: string): SearchedWord[] {
  const given = [...new Map(likePatterns(search).map((patterns) => [patterns.join(' '), patterns])).values()]
  const isWithin = (one: SearchedWord, other: SearchedWord) =>
    one.every((pattern) => other.every((longer) => longer.includes(pattern.slice(1, -1))))
  const lengthOf = (one: SearchedWord) => Math.min(...one.map((pattern) => pattern.length))
  return given
    .filter((one) => !given.some((other) => other !== one && isWithin(one, other)))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
}

/** Reads the text; an index does not know an expression. */
export const readsWord = (text: PgColumn | SQL, word: SearchedWord) =>
  or(...word.map((pattern) => sql`(${text} || '') like ${pattern}`))

const trigram = /[a-z0-9]{3}/
/** What `signs_in` leaves out, and what matches any apostrophe or hyphen; the rest of a pattern is signs. */
const noSign = /[a-z0-9\s_.,:;!?@()/'"-]/g

/** By the index of the trigrams, or by that of the signs; undefined where neither has the word. */
function inIndex({ text, hasSigns }: SearchedTable, word: SearchedWord) {
  if (word.every((pattern) => trigram.test(pattern))) return or(...word.map((pattern) => like(text, pattern)))
  if (!hasSigns || word.length > 1) return undefined
  const signs = [...new Set(literalOf(word[0] ?? '').replaceAll(noSign, ''))]
  return signs.length === 0 ? undefined : and(sql`signs_in(${text}) @> ${sql.param(signs)}::text[]`, readsWord(text, word))
}

/** What a pattern has besides its wildcards. */
const literalOf = (pattern: string) => pattern.slice(1, -1).replaceAll(/\\(.)|_/gs, (_, escaped?: string) => escaped ?? '')

/** Every word, the picked ones by their indexes. */
export function hasEveryWord(texts: SearchedTable, words: readonly SearchedWord[], picked: readonly SearchedWord[]) {
  const isPicked = (word: SearchedWord) => picked.some((one) => one.join(' ') === word.join(' '))
  return and(...words.map((word) => (isPicked(word) && inIndex(texts, word)) || readsWord(texts.text, word)))
}

/** False where the role may not create the extension, and on the embedded database. */
export async function hasTrigrams(db: Database, table: 'chat_texts' | 'request_texts') {
  const { rows } = (await db.execute(sql`select to_regclass(${`public.${table}_trigrams`}) is not null as found`)) as {
    rows: { found: boolean }[]
  }
  return rows[0]?.found === true
}

const sampled = 300
const mostCompared = 12
const mostPicked = 3
/** Among so few, it takes less to read their texts than to ask the index for another word. */
const fewEnough = 0.01
/** Among so many, the index takes longer than to read the texts one after the other. */
const tooMany = 0.3

/**
 * The words to ask the indexes for. Each costs time, a frequent one most of all, so that they are the rarest in the newest
 * texts, and no more than leave few entries.
 */
export async function pickWords(db: Database, texts: SearchedTable, words: readonly SearchedWord[]): Promise<SearchedWord[]> {
  const known = words.filter((word) => inIndex(texts, word)).slice(0, mostCompared)
  if (known.length <= 1) return known
  const newest = db.select({ text: texts.text }).from(texts.table).orderBy(desc(texts.id)).limit(sampled).as('newest')
  const counts = known.map((word) => sql`count(*) filter (where ${readsWord(sql`newest.text`, word)})::int`)
  const { rows } = (await db.execute(
    sql`select array[${sql.join(counts, sql`, `)}] as counts, count(*)::int as total from ${newest}`,
  )) as {
    rows: { counts: number[]; total: number }[]
  }
  const [found] = rows
  const shareOf = (index: number) => (found?.counts[index] ?? 0) / Math.max(1, found?.total ?? 0)
  const rarest = known.map((word, index) => ({ word, share: shareOf(index) })).toSorted((one, other) => one.share - other.share)
  const picked: SearchedWord[] = []
  let left = 1
  for (const { word, share } of rarest) {
    if (left <= fewEnough || picked.length === mostPicked) break
    picked.push(word)
    left *= share
  }
  return left > tooMany ? [] : picked
}
