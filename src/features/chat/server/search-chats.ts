import type { SQL } from 'drizzle-orm'
import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { foldText } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import type { SearchedWord } from '#src/server/search/stored-texts.ts'
import { hasEveryWord, hasIndexes, pickWords, readsWord, splitSearch } from '#src/server/search/stored-texts.ts'
import type { StaffChat } from '../protocol.ts'
import { chatMessages, chats, chatTexts, isOpenChat } from './table.ts'

/* The search of the staff: first the ids of the newest chats that have every word, the rest about these alone. */

const stored = { table: chatTexts, id: chatTexts.chatId, text: chatTexts.text }

type Wanted = { scope: 'open' | 'all'; search: string; where?: SQL | undefined; limit: number }

/** At most so many of each: the open chats, whose messages change, and the closed ones, whose text is stored. */
export async function findMatches(db: Database, { scope, search, where, limit }: Wanted): Promise<number[]> {
  const words = splitSearch(search)
  if (words.length === 0) return []
  const open = await findOpen(db, words, where, limit)
  return scope === 'open' ? open : [...open, ...(await findClosed(db, words, and(where, eq(chats.status, 'closed')), limit))]
}

async function findOpen(db: Database, words: readonly SearchedWord[], where: SQL | undefined, limit: number) {
  // The ids, or the planner could read every message for the few that are open.
  const open = await db.select({ id: chats.id }).from(chats).where(and(where, isOpenChat))
  if (open.length === 0) return []
  const ids = open.map(({ id }) => id)
  const messages = sql`(select string_agg(${chatMessages.message}, E'\n') from ${chatMessages} where ${chatMessages.chatId} = ${chats.id})`
  const names = [chats.clientName, chats.clientBusiness, chats.clientEmail, sql`${chats.tags}::text`]
  // `offset 0`: each is folded once, and not for each word.
  const { rows } = (await db.execute(
    sql`select folded.id from (
        select ${chats.id}, ${chats.updatedAt}, search_text(concat_ws(E'\n', ${sql.join([...names, messages], sql`, `)})) as text
        from ${chats} where ${inArray(chats.id, ids)} offset 0
      ) folded
      where ${and(...words.map((word) => readsWord(sql`folded.text`, word)))}
      order by folded.updated_at desc, folded.id desc limit ${limit}`,
  )) as { rows: { id: number }[] }
  return rows.map(({ id }) => id)
}

/** A frequent word is found among these; without them, the index would have to be read for every conversation that has it. */
const newestRead = 2_000

async function findClosed(db: Database, words: readonly SearchedWord[], isClosed: SQL | undefined, limit: number) {
  let part = await readPart(db, words, isClosed, limit)
  if (part.ids.length === limit || !part.last) return part.ids
  if (!(await hasIndexes(db, stored))) {
    // Part by part: the embedded database answers nobody else during a statement.
    const found = [...part.ids]
    while (part.last && found.length < limit) {
      part = await readPart(db, words, isClosed, limit - found.length, part.last)
      found.push(...part.ids)
    }
    return found
  }
  const has = hasEveryWord(stored, words, await pickWords(db, stored, words))
  // Materialized, or the planner could look each conversation's text up, newest first, for a word that none has.
  const { rows } = (await db.execute(
    sql`with hits as materialized (select ${chatTexts.chatId} as id from ${chatTexts} where ${has})
      select ${chats.id} from hits join ${chats} on ${chats.id} = hits.id where ${isClosed}
      order by ${chats.updatedAt} desc, ${chats.id} desc limit ${limit}`,
  )) as { rows: { id: number }[] }
  return rows.map(({ id }) => id)
}

/** In text: a date of JavaScript has no microseconds. */
type Position = { at: string; id: number }

/** Of the newest closed chats after a position those with every word, and the position to go on after; null at the end. */
async function readPart(
  db: Database,
  words: readonly SearchedWord[],
  isClosed: SQL | undefined,
  limit: number,
  after?: Position,
): Promise<{ ids: number[]; last: Position | null }> {
  const isAfter = after && sql`(${chats.updatedAt}, ${chats.id}) < (${after.at}::timestamptz, ${after.id}::int)`
  const has = and(...words.map((word) => readsWord(sql`folded.text`, word)))
  // One by one: the planner takes a frequent word for a rare one, and would read the text of every conversation that has it.
  const { rows } = (await db.execute(
    sql`with part as materialized (select ${chats.id}, ${chats.updatedAt} from ${chats} where ${and(isClosed, isAfter)}
        order by ${chats.updatedAt} desc, ${chats.id} desc limit ${newestRead}),
      last as (select id, updated_at::text as at from part order by updated_at, id limit 1)
      select array(select part.id from part, lateral (select ${chatTexts.text} || '' as text from ${chatTexts}
          where ${chatTexts.chatId} = part.id offset 0) folded
          where ${has} order by part.updated_at desc, part.id desc limit ${limit}) as ids,
        (select case when count(*) = ${newestRead} then (select json_build_object('at', at, 'id', id) from last) end from part) as last`,
  )) as { rows: { ids: number[]; last: Position | null }[] }
  return rows[0] ?? { ids: [], last: null }
}

/** Adds to each chat an excerpt of the newest message that has the most of the words. */
export async function addExcerpts(db: Database, found: StaffChat[], search: string): Promise<StaffChat[]> {
  if (found.length === 0) return found
  const words = splitSearch(search)
  const has = words.map((word) => readsWord(sql`folded.text`, word))
  const count = sql.join(
    has.map((one) => sql`(${one})::int`),
    sql` + `,
  )
  const ids = found.map(({ id }) => id)
  const { rows } = (await db.execute(
    sql`select distinct on (folded.chat_id) folded.chat_id as id, folded.message
      from (select chat_id, id, message, search_text(message) as text from ${chatMessages}
        where ${inArray(chatMessages.chatId, ids)} offset 0) folded
      where ${or(...has)} order by folded.chat_id, ${count} desc, folded.id desc`,
  )) as { rows: { id: number; message: string }[] }
  const excerpts = new Map(rows.map(({ id, message }) => [id, excerptAround(message, search, words)]))
  return found.map((chat) => {
    const excerpt = excerpts.get(chat.id)
    return excerpt === undefined ? chat : { ...chat, found: excerpt }
  })
}

/** Around the search as it was typed, else around the first of its words. */
function excerptAround(message: string, search: string, words: readonly SearchedWord[]) {
  const folded = foldText(message)
  const whole = folded.indexOf(foldText(search))
  const firsts = words.flatMap((word) => word.map((pattern) => indexOfPattern(folded, pattern))).filter((at) => at >= 0)
  const at = whole >= 0 ? whole : Math.min(message.length, ...firsts)
  const from = Math.max(0, at - 40)
  const to = at + (whole >= 0 ? search.length : 0) + 80
  return `${from > 0 ? '…' : ''}${message.slice(from, to)}${to < message.length ? '…' : ''}`
}

/** Where a pattern of LIKE, `%…%`, is first found: `_` stands for any character, and `\` before a character for itself. */
function indexOfPattern(text: string, pattern: string) {
  const wanted = [...pattern.slice(1, -1).matchAll(/\\(.)|(_)|(.)/gsu)].map(([, escaped, any, other]) =>
    any ? null : (escaped ?? other ?? ''),
  )
  const isAt = (start: number) => {
    let at = start
    return wanted.every((character) => {
      const isEqual = character === null ? at < text.length : text.startsWith(character, at)
      at += character?.length ?? String.fromCodePoint(text.codePointAt(at) ?? 0).length
      return isEqual
    })
  }
  for (let at = 0; at < text.length; at += 1) if (isAt(at)) return at
  return -1
}
