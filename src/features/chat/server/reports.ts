import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { translator } from '#src/lib/language/texts.ts'
import type { Routes } from '#src/server/types.ts'
import type { BusinessHours } from '#src/lib/time/business-hours.ts'
import { businessMinutes } from '#src/lib/time/business-hours.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import { daySpan } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import { users } from '#src/features/people/server/table.ts'
import type { Language } from '#src/lib/language/language.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { chatFigures, figuresExportQuery, figuresQuery } from '../contract.ts'
import { figuresTexts } from '../reports/reports-texts.ts'
import type { ChatCounts, ChatFigures } from '../contract.ts'
import { findChatHours, findChatSettings } from './settings.ts'
import { chatMessages, chats } from './table.ts'

const config = { access: 'chat administrator' } as const

/** `/api/chat/figures`, for administrators of the chat. */
export const chatFiguresRoutes: Routes = async (app) => {
  app.get('/', { config, schema: { querystring: figuresQuery, response: { 200: chatFigures } } }, (request) =>
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
type Measured = {
  day: string
  userId: number | null
  userName: string | null
  isMissed: boolean
  answer: number | null
  resolution: number | null
  rating: number | null
}

const minuteMs = 60_000

/** Counts and times by day and by technician, of the chats that began in a range of the company's days. */
async function findFigures(db: Database, { from, to }: Range, now = new Date()): Promise<ChatFigures> {
  const [hours, { no_answer_minutes: patience }] = await Promise.all([findChatHours(db), findChatSettings(db)])
  const rows = await findRows(db, daySpan(hours.timeZone, from).starts, daySpan(hours.timeZone, to).ends)
  const measured = rows.map((row) => measure(row, hours, new Date(now.getTime() - patience * minuteMs)))
  const byDay = Map.groupBy(measured, ({ day }) => day)
  const byTechnician = Map.groupBy(
    measured.filter(({ userId }) => userId !== null),
    ({ userId }) => userId ?? 0,
  )
  return {
    total: count(measured),
    days: daysOf(from, to).map((day) => ({ day, ...count(byDay.get(day) ?? []) })),
    technicians: [...byTechnician]
      .map(([id, all]) => ({ id_user: id, user_name: all[0]?.userName ?? '', ...count(all) }))
      .toSorted((one, other) => other.chats - one.chats),
  }
}

type Row = Awaited<ReturnType<typeof findRows>>[number]

/** Chats with at least one message. */
function findRows(db: Database, starts: Date, ends: Date) {
  const answered = sql<Date | null>`(select ${chatMessages.sentAt} from ${chatMessages}
    where ${chatMessages.chatId} = ${chats.id} and ${chatMessages.fromStaff} and not ${chatMessages.internal}
    order by ${chatMessages.seq} limit 1)`.mapWith(chatMessages.sentAt)
  return db
    .select({
      createdAt: chats.createdAt,
      closedAt: chats.closedAt,
      userId: chats.userId,
      userName: users.displayName,
      rating: chats.rating,
      answeredAt: answered,
    })
    .from(chats)
    .leftJoin(users, eq(users.id, chats.userId))
    .where(and(gte(chats.createdAt, starts), lt(chats.createdAt, ends), gt(chats.lastSeq, 0)))
    .orderBy(asc(chats.createdAt))
}

/** Missed: not answered before it was closed, or before the apology to the visitor. */
function measure(row: Row, hours: BusinessHours, lost: Date): Measured {
  const { createdAt, answeredAt, closedAt, userId, userName, rating } = row
  return {
    day: dayIn(hours.timeZone, createdAt),
    userId,
    userName,
    isMissed: answeredAt === null && (closedAt !== null || createdAt < lost),
    answer: answeredAt && businessMinutes(hours, createdAt, answeredAt),
    resolution: answeredAt && closedAt && businessMinutes(hours, createdAt, closedAt),
    rating,
  }
}

function count(all: Measured[]): ChatCounts {
  const answers = sorted(all.map(({ answer }) => answer))
  const resolutions = sorted(all.map(({ resolution }) => resolution))
  const ratings = sorted(all.map(({ rating }) => rating))
  return {
    chats: all.length,
    missed: all.filter(({ isMissed }) => isMissed).length,
    answer_median: percentile(answers, 0.5),
    answer_p90: percentile(answers, 0.9),
    resolution_median: percentile(resolutions, 0.5),
    resolution_p90: percentile(resolutions, 0.9),
    rating: ratings.length === 0 ? null : rounded(ratings.reduce((sum, one) => sum + one, 0) / ratings.length),
    ratings: ratings.length,
  }
}

const sorted = (values: (number | null)[]) => values.filter((value) => value !== null).toSorted((one, other) => one - other)

/** The percentile of sorted values, interpolated. */
function percentile(values: number[], part: number) {
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
