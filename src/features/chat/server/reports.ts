import { between, inArray, sql } from 'drizzle-orm'
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

const times = ['answer', 'resolution', 'wait', 'silence'] as const
type Time = (typeof times)[number]

/** The figures of chats in columns, one group after the other: by day, or by technician (0: nobody). Missing times are NaN. */
type Chats = { userIds: Int32Array; marks: Int16Array; ratings: Int16Array } & Record<Time, Float32Array>
type Span = { start: number; end: number }

const minuteMs = 60_000

/** Counts and times by day and by technician, of the chats that began in a range of the company's days. */
async function findFigures(db: Database, { from, to }: Range, now = new Date()): Promise<ChatFigures> {
  const { no_answer_minutes: patience } = await findChatSettings(db)
  const lost = new Date(now.getTime() - patience * minuteMs)
  const days = daysOf(from, to)
  const packed = await findPacked(db, { from: addDays(from, -days.length), to }, lost)
  const chats = unpack(packed.map(({ bytes }) => bytes))
  const byDay = new Map<string, Span>()
  let end = 0
  for (const { day, bytes } of packed) byDay.set(day, { start: end, end: (end += bytes.length / bytesOfChat) })
  const first = packed.find(({ day }) => day >= from)
  const begin = (first && byDay.get(first.day)?.start) ?? end
  const own = await groupByTechnician(chats, { start: begin, end })
  const names = await findNames(db, [...own.spans.keys()])
  const total = await count(chats, { start: begin, end })
  const before = await count(chats, { start: 0, end: begin })
  const figures: ChatFigures = { total, before, days: [], technicians: [] }
  for (const [index, day] of days.entries()) {
    figures.days.push({ day, ...(await count(chats, byDay.get(day) ?? { start: 0, end: 0 })) })
    if (index % daysAtOnce === 0) await pause()
  }
  for (const [id, span] of own.spans)
    figures.technicians.push({ id_user: id, user_name: names.get(id) ?? '', ...(await count(own.chats, span)) })
  figures.technicians.sort((one, other) => other.chats - one.chats)
  return figures
}

async function findNames(db: Database, ids: number[]) {
  const rows = await db.select({ id: users.id, name: users.displayName }).from(users).where(inArray(users.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Days of one query: short enough for the embedded database, which blocks the process meanwhile. */
const daysAtOnce = 92
const readAtOnce = 2
/** Chats measured at once, where nothing is stored yet. */
const chatsAtOnce = 100

/** The chats of each day, packed, oldest first. */
async function findPacked(db: Database, { from, to }: Range, lost: Date) {
  const found: { day: string; bytes: Buffer }[] = []
  const parts: Range[] = []
  for (let first = from; first <= to; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1)
    parts.push({ from: first, to: last < to ? last : to })
  }
  // PostgreSQL reads the next parts while one is decoded.
  const start = (part: Range) => {
    const rows = findStored(db, part)
    // One that fails while another is awaited is awaited later.
    rows.catch(() => undefined)
    return rows
  }
  const reading = parts.slice(0, readAtOnce).map(start)
  for (let index = 0; index < parts.length; index += 1) {
    const rows = (await reading[index]) ?? []
    const next = parts[index + readAtOnce]
    if (next) reading.push(start(next))
    found.push(...rows.map(({ day, chats }) => ({ day, bytes: Buffer.from(chats, 'base64') })))
    await pause()
  }
  const { timeZone } = await findChatHours(db)
  const unmeasured = await findUnmeasured(db, daySpan(timeZone, from).starts, daySpan(timeZone, to).ends)
  for (let index = 0; index < unmeasured.length; index += chatsAtOnce) {
    const measured = await measureChats(db, unmeasured.slice(index, index + chatsAtOnce), lost)
    found.push(...measured.map((one) => ({ day: one.day, bytes: pack(one) })))
    await pause()
  }
  const byDay = Map.groupBy(found, ({ day }) => day)
  return [...byDay.keys()].toSorted().map((day) => ({ day, bytes: joinBytes(byDay.get(day) ?? []) }))
}

const joinBytes = (all: readonly { bytes: Buffer }[]) =>
  all.length === 1 && all[0] ? all[0].bytes : Buffer.concat(all.map(({ bytes }) => bytes))

/** Of each chat its technician, its marks, its rating and four times, as PostgreSQL sends numbers. */
const bytesOfChat = 24
const markBits = { isMissed: 1, isTakenOver: 2, isGivenUp: 4 }

/** One text a day: to read a row for each chat takes twice as long. */
function findStored(db: Database, { from, to }: Range) {
  const mark = (name: keyof typeof markBits) => sql`${chatFigures[name]}::int * ${sql.raw(String(markBits[name]))}`
  const marks = sql`(${mark('isMissed')} + ${mark('isTakenOver')} + ${mark('isGivenUp')})::smallint`
  const sent = times.map((name) => sql`float4send(coalesce(${chatFigures[name]}, 'NaN')::real)`)
  const packed = sql`int4send(coalesce(${chatFigures.userId}, 0)) || int2send(${marks})
    || int2send(coalesce(${chatFigures.rating}, 0)::smallint) || ${sql.join(sent, sql` || `)}`
  return db
    .select({ day: chatFigures.day, chats: sql<string>`encode(string_agg(${packed}, ''::bytea), 'base64')` })
    .from(chatFigures)
    .where(between(chatFigures.day, from, to))
    .groupBy(chatFigures.day)
    .execute()
}

/** The same of a chat that is not stored. */
function pack({ userId, rating, ...measured }: Measured) {
  const bytes = Buffer.alloc(bytesOfChat)
  bytes.writeInt32BE(userId ?? 0, 0)
  const marks = (Object.keys(markBits) as (keyof typeof markBits)[]).filter((name) => measured[name])
  bytes.writeInt16BE(
    marks.reduce((sum, name) => sum + markBits[name], 0),
    4,
  )
  bytes.writeInt16BE(rating ?? 0, 6)
  for (const [index, name] of times.entries()) bytes.writeFloatBE(measured[name] ?? Number.NaN, 8 + 4 * index)
  return bytes
}

const columns = (length: number): Chats => ({
  userIds: new Int32Array(length),
  marks: new Int16Array(length),
  ratings: new Int16Array(length),
  answer: new Float32Array(length),
  resolution: new Float32Array(length),
  wait: new Float32Array(length),
  silence: new Float32Array(length),
})

function unpack(parts: readonly Buffer[]): Chats {
  const chats = columns(parts.reduce((sum, { length }) => sum + length, 0) / bytesOfChat)
  let at = 0
  for (const part of parts) {
    const view = new DataView(part.buffer, part.byteOffset, part.length)
    for (let byte = 0; byte < part.length; byte += bytesOfChat, at += 1) {
      chats.userIds[at] = view.getInt32(byte)
      chats.marks[at] = view.getInt16(byte + 4)
      chats.ratings[at] = view.getInt16(byte + 6)
      chats.answer[at] = view.getFloat32(byte + 8)
      chats.resolution[at] = view.getFloat32(byte + 12)
      chats.wait[at] = view.getFloat32(byte + 16)
      chats.silence[at] = view.getFloat32(byte + 20)
    }
  }
  return chats
}

/** The chats of a span that have a technician, one technician after the other. */
async function groupByTechnician(chats: Chats, { start, end }: Span) {
  const sizes = new Map<number, number>()
  for (const id of chats.userIds.subarray(start, end)) if (id !== 0) sizes.set(id, (sizes.get(id) ?? 0) + 1)
  const spans = new Map<number, Span>()
  let length = 0
  for (const [id, size] of sizes) spans.set(id, { start: length, end: (length += size) })
  await pause()
  const grouped = columns(length)
  const next = new Map([...spans].map(([id, span]) => [id, span.start]))
  for (let from = start; from < end; from += 1) {
    const id = chats.userIds[from] ?? 0
    const to = next.get(id)
    if (to === undefined) continue
    next.set(id, to + 1)
    grouped.marks[to] = chats.marks[from] ?? 0
    grouped.ratings[to] = chats.ratings[from] ?? 0
    for (const name of times) grouped[name][to] = chats[name][from] ?? Number.NaN
  }
  await pause()
  return { chats: grouped, spans }
}

/** Above so many values, other work runs before the next ones are sorted. */
const valuesAtOnce = 10_000

async function count(chats: Chats, { start, end }: Span): Promise<ChatCounts> {
  const marked = { isMissed: 0, isTakenOver: 0, isGivenUp: 0 }
  for (const marks of chats.marks.subarray(start, end)) {
    if (marks & markBits.isMissed) marked.isMissed += 1
    if (marks & markBits.isTakenOver) marked.isTakenOver += 1
    if (marks & markBits.isGivenUp) marked.isGivenUp += 1
  }
  const [answers, resolutions] = [await sortTimes(chats.answer, start, end), await sortTimes(chats.resolution, start, end)]
  const [waits, silences] = [await sortTimes(chats.wait, start, end), await sortTimes(chats.silence, start, end)]
  let [ratings, sum] = [0, 0]
  for (const rating of chats.ratings.subarray(start, end)) {
    if (rating === 0) continue
    ratings += 1
    sum += rating
  }
  return {
    chats: end - start,
    missed: marked.isMissed,
    answer_median: percentile(answers, 0.5),
    answer_p90: percentile(answers, 0.9),
    resolution_median: percentile(resolutions, 0.5),
    resolution_p90: percentile(resolutions, 0.9),
    wait_median: percentile(waits, 0.5),
    wait_p90: percentile(waits, 0.9),
    silence_median: percentile(silences, 0.5),
    silence_p90: percentile(silences, 0.9),
    taken_over: marked.isTakenOver,
    given_up: marked.isGivenUp,
    rating: ratings === 0 ? null : rounded(sum / ratings),
    ratings,
  }
}

/** The times that are there, sorted: NaN comes last. */
async function sortTimes(all: Float32Array, start: number, end: number) {
  const sorted = all.slice(start, end).sort()
  let length = sorted.length
  while (length > 0 && Number.isNaN(sorted[length - 1])) length -= 1
  if (length > valuesAtOnce) await pause()
  return sorted.subarray(0, length)
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
