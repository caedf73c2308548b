import { between, inArray, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { setImmediate as pause } from 'node:timers/promises'
import { translator } from '#src/lib/language/texts.ts'
import type { Routes } from '#src/server/types.ts'
import { addDays } from '#src/lib/time/dates.ts'
import { daySpan } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import { users } from '#src/features/people/server/table.ts'
import type { Language } from '#src/lib/language/language.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { chatFigures as chatFiguresSchema, figuresExportQuery, figuresQuery } from '../contract.ts'
import { figuresTexts } from '../reports/reports-texts.ts'
import type { ChatCounts, ChatFigures } from '../contract.ts'
import type { Measured } from './figures.ts'
import { findUnmeasured, measureChats } from './figures.ts'
import { findChatHours, findChatSettings } from './settings.ts'
import { chatFigures } from './table.ts'

const config = { access: 'chat administrator' } as const

/** `/api/chat/figures`, for administrators of the chat. */
export const chatFiguresRoutes: Routes = async (app) => {
  app.get('/', { config, schema: { querystring: figuresQuery, response: { 200: chatFiguresSchema } } }, (request) =>
    findFigures(app.db, request.query),
  )
  app.get('/export.csv', { config, schema: { querystring: figuresExportQuery } }, async (request, reply) => {
    const { language, from, to } = request.query
    const name = `${translator(figuresTexts, language)('fileName')}-${from}-${to}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(exportFigures(await findFigures(app.db, { from, to }), language))
  })
}

type Range = { from: string; to: string }

const valued = ['answer', 'resolution', 'wait', 'silence', 'rating'] as const

/** The chats of one technician, or of nobody, that began on one day. */
type Group = {
  day: string
  userId: number | null
  chats: number
  missed: number
  takenOver: number
  givenUp: number
} & Record<(typeof valued)[number], Float32Array>

const minuteMs = 60_000

/** Counts and times by day and by technician, of the chats that began in a range of the company's days. */
async function findFigures(db: Database, { from, to }: Range, now = new Date()): Promise<ChatFigures> {
  const { no_answer_minutes: patience } = await findChatSettings(db)
  const lost = new Date(now.getTime() - patience * minuteMs)
  const days = daysOf(from, to)
  const all = await findGroups(db, { from: addDays(from, -days.length), to }, lost)
  const groups = all.filter(({ day }) => day >= from)
  const before = all.filter(({ day }) => day < from)
  const byDay = Map.groupBy(groups, ({ day }) => day)
  const byTechnician = Map.groupBy(groups, ({ userId }) => userId)
  byTechnician.delete(null)
  const names = await findNames(db, [...byTechnician.keys()])
  const figures: ChatFigures = { total: await count(groups), before: await count(before), days: [], technicians: [] }
  for (const day of days) figures.days.push({ day, ...(await count(byDay.get(day) ?? [])) })
  for (const [id, own] of byTechnician)
    if (id !== null) figures.technicians.push({ id_user: id, user_name: names.get(id) ?? '', ...(await count(own)) })
  figures.technicians.sort((one, other) => other.chats - one.chats)
  return figures
}

async function findNames(db: Database, ids: readonly (number | null)[]) {
  const known = ids.filter((id) => id !== null)
  const rows = await db.select({ id: users.id, name: users.displayName }).from(users).where(inArray(users.id, known))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Days of one query: short enough for the embedded database, which blocks the process meanwhile. */
const daysAtOnce = 92
/** Chats measured at once, where nothing is stored yet. */
const chatsAtOnce = 100

async function findGroups(db: Database, { from, to }: Range, lost: Date): Promise<Group[]> {
  const groups: Group[] = []
  const parts: Range[] = []
  for (let first = from; first <= to; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1)
    parts.push({ from: first, to: last < to ? last : to })
  }
  const [first] = parts
  // PostgreSQL reads the next part while this one is decoded.
  let reading = first && findStored(db, first)
  for (let index = 1; reading; index += 1) {
    const rows: Stored[] = await reading
    const next = parts[index]
    reading = next && findStored(db, next)
    groups.push(...rows.map(decode))
    await pause()
  }
  const { timeZone } = await findChatHours(db)
  const unmeasured = await findUnmeasured(db, daySpan(timeZone, from).starts, daySpan(timeZone, to).ends)
  for (let index = 0; index < unmeasured.length; index += chatsAtOnce) {
    const measured = await measureChats(db, unmeasured.slice(index, index + chatsAtOnce), lost)
    groups.push(...measured.map(groupOf))
    await pause()
  }
  return groups
}

type Stored = Awaited<ReturnType<typeof findStored>>[number]

function findStored(db: Database, { from, to }: Range) {
  // In base64, which both ends read many times faster than lists of decimal numbers.
  const values = (column: PgColumn) =>
    sql<string>`encode(coalesce(string_agg(float4send(${column}::real), ''::bytea) filter (where ${column} is not null), ''::bytea), 'base64')`
  const countWhere = (column: PgColumn) => sql<number>`(count(*) filter (where ${column}))::int`
  return db
    .select({
      day: chatFigures.day,
      userId: chatFigures.userId,
      chats: sql<number>`count(*)::int`,
      missed: countWhere(chatFigures.isMissed),
      takenOver: countWhere(chatFigures.isTakenOver),
      givenUp: countWhere(chatFigures.isGivenUp),
      answer: values(chatFigures.answer),
      resolution: values(chatFigures.resolution),
      wait: values(chatFigures.wait),
      silence: values(chatFigures.silence),
      rating: values(chatFigures.rating),
    })
    .from(chatFigures)
    .where(between(chatFigures.day, from, to))
    .groupBy(chatFigures.day, chatFigures.userId)
    .execute()
}

const decode = (row: Stored): Group => ({
  ...row,
  answer: decodeValues(row.answer),
  resolution: decodeValues(row.resolution),
  wait: decodeValues(row.wait),
  silence: decodeValues(row.silence),
  rating: decodeValues(row.rating),
})

function decodeValues(encoded: string) {
  // A copy, because a small buffer may begin anywhere in the pool of Node.
  const bytes = Uint8Array.from(Buffer.from(encoded, 'base64').swap32())
  return new Float32Array(bytes.buffer)
}

function groupOf({ day, userId, isMissed, isTakenOver, isGivenUp, ...one }: Measured): Group {
  const listOf = (value: number | null) => Float32Array.from(value === null ? [] : [value])
  return {
    day,
    userId,
    chats: 1,
    missed: Number(isMissed),
    takenOver: Number(isTakenOver),
    givenUp: Number(isGivenUp),
    answer: listOf(one.answer),
    resolution: listOf(one.resolution),
    wait: listOf(one.wait),
    silence: listOf(one.silence),
    rating: listOf(one.rating),
  }
}

/** Above so many values, other work runs before the next ones are sorted. */
const valuesAtOnce = 10_000

async function count(groups: readonly Group[]): Promise<ChatCounts> {
  const sum = (key: 'chats' | 'missed' | 'takenOver' | 'givenUp') => groups.reduce((total, group) => total + group[key], 0)
  const sorted = async (key: 'answer' | 'resolution' | 'wait' | 'silence') => {
    const values = joined(groups, key).sort()
    if (values.length > valuesAtOnce) await pause()
    return values
  }
  const [answers, resolutions] = [await sorted('answer'), await sorted('resolution')]
  const [waits, silences] = [await sorted('wait'), await sorted('silence')]
  const ratings = joined(groups, 'rating')
  return {
    chats: sum('chats'),
    missed: sum('missed'),
    answer_median: percentile(answers, 0.5),
    answer_p90: percentile(answers, 0.9),
    resolution_median: percentile(resolutions, 0.5),
    resolution_p90: percentile(resolutions, 0.9),
    wait_median: percentile(waits, 0.5),
    wait_p90: percentile(waits, 0.9),
    silence_median: percentile(silences, 0.5),
    silence_p90: percentile(silences, 0.9),
    taken_over: sum('takenOver'),
    given_up: sum('givenUp'),
    rating: ratings.length === 0 ? null : rounded(ratings.reduce((total, one) => total + one, 0) / ratings.length),
    ratings: ratings.length,
  }
}

function joined(groups: readonly Group[], key: (typeof valued)[number]) {
  const all = new Float32Array(groups.reduce((length, group) => length + group[key].length, 0))
  let at = 0
  for (const group of groups) {
    all.set(group[key], at)
    at += group[key].length
  }
  return all
}

/** The percentile of sorted values, interpolated. */
function percentile(values: Float32Array, part: number) {
  const at = (values.length - 1) * part
  const low = values[Math.floor(at)]
  const high = values[Math.ceil(at)]
  return low === undefined || high === undefined ? null : rounded(low + (high - low) * (at - Math.floor(at)))
}

const rounded = (value: number) => Math.round(value * 100) / 100

function daysOf(from: string, to: string) {
  const days = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** CSV: one row a day, then one a technician. */
function exportFigures({ days, technicians, total }: ChatFigures, language: Language) {
  const t = translator(figuresTexts, language)
  const separator = language === 'fr' ? ';' : ','
  const number = (value: number | null) => (value === null ? null : language === 'fr' ? String(value).replace('.', ',') : value)
  const cells = (counts: ChatCounts) => [
    counts.chats,
    counts.missed,
    number(counts.answer_median),
    number(counts.answer_p90),
    number(counts.resolution_median),
    number(counts.resolution_p90),
    number(counts.rating),
    counts.ratings,
    number(counts.wait_median),
    number(counts.wait_p90),
    number(counts.silence_median),
    number(counts.silence_p90),
    counts.taken_over,
    counts.given_up,
  ]
  const names = [
    t('chats'),
    t('missed'),
    t('answerMedian'),
    t('answerP90'),
    t('resolutionMedian'),
    t('resolutionP90'),
    t('rating'),
    t('ratings'),
    t('waitMedian'),
    t('waitP90'),
    t('silenceMedian'),
    t('silenceP90'),
    t('takenOver'),
    t('givenUp'),
  ]
  const lines = [
    [t('day'), t('technician'), ...names],
    ...days.map(({ day, ...counts }) => [day, '', ...cells(counts)]),
    ...technicians.map(({ user_name, ...counts }) => ['', user_name, ...cells(counts)]),
    [t('total'), '', ...cells(total)],
  ]
  // The byte order mark makes spreadsheets read UTF-8.
  return `\ufeff${lines.map((line) => csvLine(line, separator)).join('')}`
}
