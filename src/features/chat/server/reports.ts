import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { setImmediate as pause } from 'node:timers/promises'
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
import { chatEvents, chatMessages, chats } from './table.ts'

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
  wait: number | null
  silence: number | null
  isTakenOver: boolean
  isGivenUp: boolean
  rating: number | null
}

const minuteMs = 60_000

/** Counts and times by day and by technician, of the chats that began in a range of the company's days. */
async function findFigures(db: Database, { from, to }: Range, now = new Date()): Promise<ChatFigures> {
  const [hours, { no_answer_minutes: patience }] = await Promise.all([findChatHours(db), findChatSettings(db)])
  const lost = new Date(now.getTime() - patience * minuteMs)
  const days = daysOf(from, to)
  const measured = await measureAll(db, hours, { from, to }, lost)
  const before = await measureAll(db, hours, { from: addDays(from, -days.length), to: addDays(from, -1) }, lost)
  const byDay = Map.groupBy(measured, ({ day }) => day)
  const byTechnician = Map.groupBy(
    measured.filter(({ userId }) => userId !== null),
    ({ userId }) => userId ?? 0,
  )
  return {
    total: count(measured),
    before: count(before),
    days: days.map((day) => ({ day, ...count(byDay.get(day) ?? []) })),
    technicians: [...byTechnician]
      .map(([id, all]) => ({ id_user: id, user_name: all[0]?.userName ?? '', ...count(all) }))
      .toSorted((one, other) => other.chats - one.chats),
  }
}

/** Rows between two pauses, so that a report over a year keeps nobody waiting. */
const rowsAtOnce = 500

async function measureAll(db: Database, hours: BusinessHours, { from, to }: Range, lost: Date) {
  const [starts, ends] = [daySpan(hours.timeZone, from).starts, daySpan(hours.timeZone, to).ends]
  const [rows, silences] = [await findRows(db, starts, ends), await findSilences(db, starts, ends)]
  const measured: Measured[] = []
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await pause()
    measured.push(measure(row, hours, lost, silences.get(row.id)))
  }
  return measured
}

type Silence = { from: Date; to: Date }

/** The longest time of each chat from a visitor's first unanswered message to the reply. */
async function findSilences(db: Database, starts: Date, ends: Date) {
  const { rows } = (await db.execute(sql`
    select distinct on (chat_id) chat_id as id,
      extract(epoch from asked_at)::float8 * 1000 as "from", extract(epoch from answered_at)::float8 * 1000 as "to"
    from (
      select chat_id, from_staff, sent_at as asked_at, lead(sent_at) over (partition by chat_id order by seq) as answered_at
      from (
        select message.chat_id, message.seq, message.sent_at, message.from_staff,
          lag(message.from_staff) over (partition by message.chat_id order by message.seq) as former
        from ${chatMessages} message join ${chats} chat on chat.id = message.chat_id
        where not message.internal and chat.created_at >= ${starts.toISOString()} and chat.created_at < ${ends.toISOString()}
      ) messages
      where former is distinct from from_staff
    ) turns
    where not from_staff and answered_at is not null
    order by chat_id, answered_at - asked_at desc`)) as { rows: { id: number; from: number; to: number }[] }
  return new Map(rows.map(({ id, ...span }): [number, Silence] => [id, { from: new Date(span.from), to: new Date(span.to) }]))
}

type Row = Awaited<ReturnType<typeof findRows>>[number]

/** Chats with at least one message. */
function findRows(db: Database, starts: Date, ends: Date) {
  const answered = sql<Date | null>`(select ${chatMessages.sentAt} from ${chatMessages}
    where ${chatMessages.chatId} = ${chats.id} and ${chatMessages.fromStaff} and not ${chatMessages.internal}
    order by ${chatMessages.seq} limit 1)`.mapWith(chatMessages.sentAt)
  const hasEvent = (kind: 'taken_over' | 'visitor_left') => sql<boolean>`exists (select 1 from ${chatEvents}
    where ${chatEvents.chatId} = ${chats.id} and ${chatEvents.kind} = ${kind})`
  return db
    .select({
      id: chats.id,
      claimedAt: chats.claimedAt,
      isTakenOver: hasEvent('taken_over'),
      hasLeft: sql<boolean>`(${chats.goneAt} is not null or ${hasEvent('visitor_left')})`,
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
function measure(row: Row, hours: BusinessHours, lost: Date, silence: Silence | undefined): Measured {
  const { createdAt, answeredAt, closedAt, claimedAt, userId, userName, rating } = row
  return {
    day: dayIn(hours.timeZone, createdAt),
    userId,
    userName,
    isMissed: answeredAt === null && (closedAt !== null || createdAt < lost),
    answer: answeredAt && businessMinutes(hours, createdAt, answeredAt),
    resolution: answeredAt && closedAt && businessMinutes(hours, createdAt, closedAt),
    wait: claimedAt && businessMinutes(hours, createdAt, claimedAt),
    silence: silence ? businessMinutes(hours, silence.from, silence.to) : null,
    isTakenOver: row.isTakenOver,
    isGivenUp: answeredAt === null && row.hasLeft,
    rating,
  }
}

function count(all: Measured[]): ChatCounts {
  const answers = sorted(all.map(({ answer }) => answer))
  const resolutions = sorted(all.map(({ resolution }) => resolution))
  const waits = sorted(all.map(({ wait }) => wait))
  const silences = sorted(all.map(({ silence }) => silence))
  const ratings = sorted(all.map(({ rating }) => rating))
  return {
    chats: all.length,
    missed: all.filter(({ isMissed }) => isMissed).length,
    answer_median: percentile(answers, 0.5),
    answer_p90: percentile(answers, 0.9),
    resolution_median: percentile(resolutions, 0.5),
    resolution_p90: percentile(resolutions, 0.9),
    wait_median: percentile(waits, 0.5),
    wait_p90: percentile(waits, 0.9),
    silence_median: percentile(silences, 0.5),
    silence_p90: percentile(silences, 0.9),
    taken_over: all.filter(({ isTakenOver }) => isTakenOver).length,
    given_up: all.filter(({ isGivenUp }) => isGivenUp).length,
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
