import type { SQL } from 'drizzle-orm'
import { and, like, or, sql } from 'drizzle-orm'
import { mostCounted } from '#src/lib/lists.ts'
import type { Database } from '#src/server/database/database.ts'
import type { SearchedWord } from '#src/server/search/stored-texts.ts'
import { hasEveryWord, pickWords, readsWord, splitSearch } from '#src/server/search/stored-texts.ts'
import { requests, requestTexts } from './table.ts'

const stored = { table: requestTexts, id: requestTexts.requestId, text: requestTexts.text }

const sampled = 1_000
/** Far beyond what a sample of this size can be wrong by. */
const certainty = 2

/** True where a sample of all requests says that more match than are counted: of many words, each match takes its time to count. */
export async function areSurelyMany(db: Database, where: SQL | undefined, most = mostCounted) {
  const { rows: sizes } = (await db.execute(
    sql`select greatest(reltuples, 0)::float8 as size from pg_class where oid = ${'public.requests'}::regclass`,
  )) as { rows: { size: number }[] }
  const size = sizes[0]?.size ?? 0
  if (size < certainty * most) return false
  const percent = Math.min(100, (100 * sampled) / size)
  const { rows } = (await db.execute(
    sql`select count(*)::int as total, (count(*) filter (where ${where}))::int as matching from ${requests} tablesample system (${percent})`,
  )) as { rows: { total: number; matching: number }[] }
  const { total, matching } = rows[0] ?? { total: 0, matching: 0 }
  return total >= sampled / 2 && (matching / total) * size >= certainty * most
}

/** The words of a search to ask the index for. */
export const pickSearched = async (db: Database, search: string | undefined) =>
  search === undefined ? [] : pickWords(db, stored, splitSearch(search))

export function hasWords(search: string, picked: readonly SearchedWord[] | 'frequent') {
  const words = splitSearch(search)
  if (words.length === 0) return undefined
  const { requestId, text } = requestTexts
  const isPhone = digitsOf(search).length >= leastDigits && /^[\d\s().+-]+$/.test(search)
  if (picked === 'frequent' && !isPhone) {
    const has = and(...words.map((word) => readsWord(text, word)))
    return sql`exists (select from ${requestTexts} where ${requestId} = ${requests.id} and ${has} offset 0)`
  }
  const numbers = words.filter((word) => word.length > 1)
  const has = hasEveryWord(stored, words, picked === 'frequent' ? numbers : picked)
  const inTexts = sql`select ${requestId} from ${requestTexts} where ${has}`
  return sql`${requests.id} in (${isPhone ? sql`${inTexts} union all ${selectByPhone(search)}` : inTexts})`
}

/** Fewer digits may be part of a request's number. */
const leastDigits = 7
const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

/** A number is found however it is written, with the 1 of long distance or without it. */
function selectByPhone(search: string) {
  const national = digitsOf(search).replace(/^1(?=\d{10})/, '')
  const digits = sql`regexp_replace(phone, '\\D', '', 'g')`
  return sql`select id from ${requests} where ${or(like(digits, `${national}%`), like(digits, `1${national}%`))}`
}
