import { and, eq, gt, gte, inArray, lt, max, notExists, sql } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import type { BusinessHours } from '#src/lib/time/business-hours.ts'
import { businessMinutes } from '#src/lib/time/business-hours.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { findChatHours } from './settings.ts'
import { chatEvents, chatFigures, chatMessages, chats, isOpenChat } from './table.ts'

/** What a report counts of one chat; times are in business minutes. */
export type Measured = typeof chatFigures.$inferSelect

type Silence = { from: Date; to: Date }

/** The longest time of each chat from a visitor's first unanswered message to the reply. */
async function findSilences(db: Database, ids: readonly number[]) {
  const { rows } = (await db.execute(sql`
    select distinct on (chat_id) chat_id as id,
      extract(epoch from asked_at)::float8 * 1000 as "from", extract(epoch from answered_at)::float8 * 1000 as "to"
    from (
      select chat_id, from_staff, sent_at as asked_at, lead(sent_at) over (partition by chat_id order by seq) as answered_at
      from (
        select chat_id, seq, sent_at, from_staff, lag(from_staff) over (partition by chat_id order by seq) as former
        from ${chatMessages} where not internal and chat_id = any(${sql.param([...ids])}::int[])
      ) messages
      where former is distinct from from_staff
    ) turns
    where not from_staff and answered_at is not null
    order by chat_id, answered_at - asked_at desc`)) as { rows: { id: number; from: number; to: number }[] }
  return new Map(rows.map(({ id, ...span }): [number, Silence] => [id, { from: new Date(span.from), to: new Date(span.to) }]))
}

type Row = Awaited<ReturnType<typeof findRows>>[number]

/** Chats with at least one message. */
function findRows(db: Database, ids: readonly number[]) {
  // With their tables: Drizzle leaves those out of the columns of a select without a join.
  const answered = sql<Date | null>`(select message.sent_at from ${chatMessages} message
    where message.chat_id = chats.id and message.from_staff and not message.internal
    order by message.seq limit 1)`.mapWith(chatMessages.sentAt)
  const hasEvent = (kind: 'taken_over' | 'visitor_left') => sql<boolean>`exists (select 1 from ${chatEvents} event
    where event.chat_id = chats.id and event.kind = ${kind})`
  return db
    .select({
      id: chats.id,
      claimedAt: chats.claimedAt,
      isTakenOver: hasEvent('taken_over'),
      hasLeft: sql<boolean>`(${chats.goneAt} is not null or ${hasEvent('visitor_left')})`,
      createdAt: chats.createdAt,
      closedAt: chats.closedAt,
      userId: chats.userId,
      rating: chats.rating,
      answeredAt: answered,
    })
    .from(chats)
    .where(and(inArray(chats.id, [...ids]), gt(chats.lastSeq, 0)))
}

/** Missed: not answered before it was closed, or before the apology to the visitor. */
function measure(row: Row, hours: BusinessHours, lost: Date, silence: Silence | undefined): Measured {
  const { createdAt, answeredAt, closedAt, claimedAt, userId, rating } = row
  return {
    chatId: row.id,
    day: dayIn(hours.timeZone, createdAt),
    userId,
    isMissed: answeredAt === null && (closedAt !== null || createdAt < lost),
    isTakenOver: row.isTakenOver,
    isGivenUp: answeredAt === null && row.hasLeft,
    answer: answeredAt && businessMinutes(hours, createdAt, answeredAt),
    resolution: answeredAt && closedAt && businessMinutes(hours, createdAt, closedAt),
    wait: claimedAt && businessMinutes(hours, createdAt, claimedAt),
    silence: silence ? businessMinutes(hours, silence.from, silence.to) : null,
    rating,
  }
}

/** Measures chats as they are now; an open one is missed if it began before `lost` and has no answer. */
export async function measureChats(db: Database, ids: readonly number[], lost = new Date(0)): Promise<Measured[]> {
  if (ids.length === 0) return []
  const hours = await findChatHours(db)
  const [rows, silences] = [await findRows(db, ids), await findSilences(db, ids)]
  return rows.map((row) => measure(row, hours, lost, silences.get(row.id)))
}

/** Stores what the end of these chats fixes; called in the transaction that closes them. */
export async function storeFigures(tx: Database, ids: readonly number[]) {
  const measured = await measureChats(tx, ids)
  if (measured.length > 0) await tx.insert(chatFigures).values(measured).onConflictDoNothing()
}

const isMeasured = (db: Database) =>
  db.select({ id: chatFigures.chatId }).from(chatFigures).where(eq(chatFigures.chatId, chats.id))

/** Databases where no ended chat is without its figures: a chat stores them when it ends. */
const complete = new WeakSet<Database>()

/** Chats of a span whose figures are not stored: open ones, and those that ended before figures were. */
export async function findUnmeasured(db: Database, starts: Date, ends: Date) {
  const isIn = and(gte(chats.createdAt, starts), lt(chats.createdAt, ends), gt(chats.lastSeq, 0))
  const found = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(isIn, notExists(isMeasured(db)), complete.has(db) ? isOpenChat : undefined))
  return found.map(({ id }) => id)
}

/** Ids of one part: few enough for the embedded database's only connection. */
const idsAtOnce = 200
const pauseMs = 20

/**
 * Stores the figures of chats that ended before the product stored any, newest first, while it runs. Until then a report
 * measures them itself. Returns the id to go on below, 0 at the end.
 */
export async function storeFormerFigures(db: Database, below: number) {
  const from = Math.max(0, below - idsAtOnce)
  await db.transaction(async (tx) => {
    const former = await tx
      .select({ id: chats.id })
      .from(chats)
      .where(
        and(
          gte(chats.id, from),
          lt(chats.id, below),
          eq(chats.status, 'closed'),
          gt(chats.lastSeq, 0),
          notExists(isMeasured(tx)),
        ),
      )
    await storeFigures(
      tx,
      former.map(({ id }) => id),
    )
  })
  return from
}

/** Runs `storeFormerFigures` once after each start; a failed part is tried again a second later. */
export function startFormerFigures({ db, queue }: Pick<App, 'db' | 'queue'>) {
  let below = Number.POSITIVE_INFINITY
  queue.recur({
    most: 1,
    take: async (_count, stopping) => {
      if (below === 0) return []
      if (below === Number.POSITIVE_INFINITY) {
        const [last] = await db.select({ id: max(chats.id) }).from(chats)
        below = (last?.id ?? -1) + 1
      }
      const work = async () => {
        while (below > 0 && !stopping.aborted) {
          below = await storeFormerFigures(db, below)
          await pause(pauseMs)
        }
        if (below === 0) complete.add(db)
      }
      return [work]
    },
  })
}
