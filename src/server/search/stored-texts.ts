import type { SQL } from 'drizzle-orm'
import { and, desc, getTableName, like, or, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { likePatterns } from '#src/lib/text/plain-text.ts'
import type { Database } from '../database/database.ts'

/* Searches of the texts that a table stores for them, folded by `search_text`: one text an entry, found by all words. */

export type SearchedTable = { table: PgTable; id: PgColumn; text: PgColumn }

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

/** Compares the text itself, without an index. */
export const readsWord = (text: PgColumn | SQL, word: SearchedWord) => or(...word.map((pattern) => matches(text, pattern)))

/** Shorter ones are found as fast by `like`. */
const leastSkipped = 4

/** `strpos` skips what cannot be the word: a fifth of the time of `like` over texts that do not have it. */
function matches(text: PgColumn | SQL, pattern: string) {
  const literal = /^%((?:\\[\\%_]|[^\\%_])+)%$/.exec(pattern)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? ''
  return literal.length >= leastSkipped ? sql`strpos(${text}, ${literal}) > 0` : sql`(${text} || '') like ${pattern}`
}

/**
 * Values of `id` where these columns together contain all words, the newest first. Without an index: for tables that stay small.
 */
export async function findByWords(
  db: Database,
  { id, key = id, columns, where }: { id: PgColumn; key?: PgColumn; columns: readonly PgColumn[]; where?: SQL },
  search: string,
  most: number,
): Promise<string[]> {
  const words = splitSearch(search)
  if (words.length === 0) return []
  const text = sql`search_text(concat_ws(' ', ${sql.join([...columns], sql`, `)}))`
  const rows = await db
    .select({ value: sql<string>`${key}::text` })
    .from(id.table)
    .where(and(where, ...words.map((word) => readsWord(text, word))))
    .orderBy(desc(id))
    .limit(most)
  return rows.map(({ value }) => value)
}

const trigram = /[a-z0-9]{3}/
/** What `short_parts` does not take for a sign. */
const noSign = /[a-z0-9\s_.,:;!?@()/'"-]/g

/** By the index of the trigrams, or by that of shorter parts; undefined where neither has the word. */
function inIndex({ text }: SearchedTable, word: SearchedWord) {
  if (word.every((pattern) => trigram.test(pattern))) return or(...word.map((pattern) => like(text, pattern)))
  const [pattern, ...others] = word
  const parts = pattern === undefined || others.length > 0 ? [] : shortParts(pattern)
  return parts.length === 0 ? undefined : and(sql`short_parts(${text}) @> ${sql.param(parts)}::text[]`, readsWord(text, word))
}

/** As `short_parts` cuts a text: the pairs of letters and digits, and the signs; the wildcard `_` is neither. */
function shortParts(pattern: string) {
  const literals = [...pattern.slice(1, -1).matchAll(/((?:\\.|[^_\\])+)/gs)].map(([literal]) =>
    literal.replaceAll(/\\(.)/gs, '$1'),
  )
  const runs = literals.flatMap((literal) => literal.match(/[a-z0-9]{2,}/g) ?? [])
  const pairs = runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)))
  return [...new Set([...pairs, ...literals.join('').replaceAll(noSign, '')])]
}

/** Every word, the picked ones by their indexes. */
export function hasEveryWord(texts: SearchedTable, words: readonly SearchedWord[], picked: readonly SearchedWord[]) {
  const isPicked = (word: SearchedWord) => picked.some((one) => one.join(' ') === word.join(' '))
  return and(...words.map((word) => (isPicked(word) && inIndex(texts, word)) || readsWord(texts.text, word)))
}

/** False where the role may not create the extension, and on the embedded database, whose `short_parts` are empty. */
export async function hasIndexes(db: Database, { table }: SearchedTable) {
  const name = `public.${getTableName(table)}_trigrams`
  const { rows } = (await db.execute(sql`select to_regclass(${name}) is not null as found`)) as {
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
  if (known.length === 0 || !(await hasIndexes(db, texts))) return []
  if (known.length === 1) return known
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
