import type { AnyColumn, SQL } from 'drizzle-orm'
import { and, eq, gt, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { boolean, timestamp } from 'drizzle-orm/pg-core'
import type { EntryState, Publication } from '#src/lib/schemas.ts'
import { endOfDays } from '#src/lib/schemas.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'

/** Columns of entries that are public from one moment to another. */
export const publicationColumns = () => ({
  isPublished: boolean('is_published').notNull().default(true),
  opensAt: timestamp('opens_at', { withTimezone: true }),
  closesAt: timestamp('closes_at', { withTimezone: true }),
})

type Row = { isPublished: boolean; opensAt: Date | null; closesAt: Date | null }

/** The state of an entry, and the fields that it comes from. */
export function publicationOf({ isPublished, opensAt, closesAt }: Row) {
  return {
    publie: isPublished,
    opens_on: opensAt?.toISOString() ?? null,
    closes_on: closesAt?.toISOString() ?? null,
    state: stateAt({ isPublished, opensAt, closesAt }, new Date()),
  }
}

function stateAt({ isPublished, opensAt, closesAt }: Row, now: Date): EntryState {
  if (!isPublished) return 'draft'
  if (opensAt && now < opensAt) return 'planned'
  return closesAt && now >= closesAt ? 'closed' : 'open'
}

/** `isComplete`: false where the entry lacks what makes it fit for the public, so that it stays a draft. */
export const publicationRow = ({ publie, opens_on, closes_on }: Publication, isComplete: boolean): Row => ({
  isPublished: publie && isComplete,
  opensAt: opens_on === null ? null : new Date(opens_on),
  closesAt: closes_on === null ? null : new Date(closes_on),
})

type ScheduledTable = PgTable & { isPublished: AnyColumn; opensAt: AnyColumn; closesAt: AnyColumn }

/** Entries that are public now. */
export function isOpen({ isPublished, opensAt, closesAt }: ScheduledTable, now = new Date()): SQL | undefined {
  return and(eq(isPublished, true), or(isNull(opensAt), lte(opensAt, now)), or(isNull(closesAt), gt(closesAt, now)))
}

/** The next moment at which an entry of the table opens or closes. */
export async function findNextChange(db: Database, table: ScheduledTable): Promise<Date | null> {
  const { isPublished, opensAt, closesAt } = table
  const now = new Date()
  const nextOf = (column: AnyColumn) =>
    db
      .select({ at: sql`min(${column})`.mapWith(column) })
      .from(table)
      .where(and(eq(isPublished, true), gt(column, now), lt(column, new Date(endOfDays))))
  const [[opens], [closes]] = await Promise.all([nextOf(opensAt), nextOf(closesAt)])
  return earliest([opens?.at, closes?.at].map((at) => (at ?? null) as Date | null))
}

export function earliest(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((moment) => moment !== null)
  return known.length === 0 ? null : new Date(Math.min(...known.map(Number)))
}

/** A timer cannot be longer than 24 days. */
const longestMs = 24 * 3_600_000
const retryMs = 10_000

/**
 * Publishes the change of an area when one of its entries opens or closes: caches end at that moment, and open pages follow.
 * Each instance keeps the time by itself.
 */
export function followSchedule(app: App, area: string, findNext: () => Promise<Date | null>) {
  let timer: NodeJS.Timeout | undefined
  let round = 0
  let hasFailed = false
  const wait = (ms: number, work: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(work, Math.min(Math.max(ms, 1), longestMs)).unref()
  }
  // A timer may end a millisecond early: the change is not asked for again, since it would then be found to be past.
  const announce = (at: number) => wait(at - Date.now(), () => (Date.now() < at ? announce(at) : app.events.changed(area)))
  const prepare = async () => {
    round += 1
    const own = round
    try {
      const next = await findNext()
      // A later change of the area asked again.
      if (own !== round) return
      app.plannedChanges.set(area, next)
      if (next) announce(next.getTime())
      else clearTimeout(timer)
      // A moment may have passed while the database was down.
      const isLate = hasFailed
      hasFailed = false
      if (isLate) app.events.changed(area)
    } catch (error) {
      if (own !== round) return
      hasFailed = true
      app.log.warn({ err: error, area }, 'the next opening or closing was not found; trying again')
      wait(retryMs, () => void prepare())
    }
  }
  const stop = app.events.onChanged((changed) => {
    if (changed === area) void prepare()
  })
  app.addHook('onReady', prepare)
  app.addHook('preClose', async () => {
    stop()
    round += 1
    clearTimeout(timer)
  })
}
