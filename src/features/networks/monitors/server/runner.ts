import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { contextOf } from '../../server/incident-routes.ts'
import { lockNetworks } from '../../server/service.ts'
import type { MonitorHistory } from '../contract.ts'
import type { MonitorPeriod } from '../values.ts'
import type { Check, Result } from './checks.ts'
import { runCheck } from './checks.ts'
import type { MonitorRow, StatusRow } from './outcomes.ts'
import { recordOutcome } from './outcomes.ts'
import { monitorEvents, monitorFigures, monitorStatus, networkMonitors } from './table.ts'
import type { TargetResolver } from './targets.ts'
import { createTargetResolver } from './targets.ts'

/** More than the monitors of a large office that all run into their timeout together. */
const mostAtOnce = 200
const writeEveryMs = 1_000
/** An instance that runs claims what is due within a second or two. */
const overdueMs = 10_000
/** A fraction of the interval for each monitor: consecutive ids are far from each other (golden ratio). */
const spread = 0.618_033_988_75

type Due = { monitor: MonitorRow; status: StatusRow }

export const checkOf = ({ kind, target, timeoutMs, expect }: MonitorRow): Check => ({
  kind,
  target,
  timeout_ms: timeoutMs,
  expect,
})

/**
 * Claims the monitors that are due: each is given to one instance. The next time lies on a grid of its interval, shifted by its
 * id, so that checks stay spread whatever happened; a signal has its full interval again.
 */
export async function claimDue(db: Database, count: number, now = new Date()): Promise<Due[]> {
  const { rows } = (await db.execute(sql`
    with due as (
      select s.monitor_id, m.interval_s, m.kind, m.id * ${spread}::float8 - floor(m.id * ${spread}::float8) as share
      from ${monitorStatus} s join ${networkMonitors} m on m.id = s.monitor_id
      where m.enabled and s.next_at <= ${now.toISOString()}::timestamptz
      order by s.next_at limit ${count} for update of s skip locked
    )
    update ${monitorStatus} s set next_at = case
      when due.kind = 'signal' then ${now.toISOString()}::timestamptz + due.interval_s * interval '1 second'
      else to_timestamp((floor(${now.getTime() / 1_000}::float8 / due.interval_s - due.share) + 1 + due.share) * due.interval_s) end
    from due where s.monitor_id = due.monitor_id returning s.monitor_id`)) as { rows: { monitor_id: number }[] }
  if (rows.length === 0) return []
  const found = await db
    .select()
    .from(networkMonitors)
    .innerJoin(monitorStatus, eq(monitorStatus.monitorId, networkMonitors.id))
    .where(
      inArray(
        networkMonitors.id,
        rows.map((row) => row.monitor_id),
      ),
    )
  return found.map((row) => ({ monitor: row.network_monitors, status: row.network_monitor_status }))
}

/** While no instance ran, no signal could arrive: those that are long overdue get another interval. */
async function forgiveSilence(db: Database, now = new Date()) {
  await db.execute(sql`
    update ${monitorStatus} s set next_at = ${now.toISOString()}::timestamptz + m.interval_s * interval '1 second'
    from ${networkMonitors} m where m.id = s.monitor_id and m.kind = 'signal'
      and s.next_at < ${new Date(now.getTime() - overdueMs).toISOString()}::timestamptz`)
}

type Measured = { id: number; at: Date; result: Result }

/** Checks what is due while the queue runs; the instances share the work. */
export function runMonitors(app: App, resolver: TargetResolver = createTargetResolver()) {
  const { db } = app
  const context = contextOf(app)
  let measured: Measured[] = []
  let writing: Promise<void> | undefined

  /** Writes the results of a second together. */
  const write = () => {
    writing ??= new Promise<void>((resolve, reject) => {
      setTimeout(() => {
        const batch = measured
        measured = []
        writing = undefined
        storeMeasured(db, batch).then(resolve, reject)
      }, writeEveryMs)
    })
    return writing
  }

  async function check({ monitor, status }: Due, stopping: AbortSignal) {
    const result = await runCheck(checkOf(monitor), resolver, stopping)
    if (!result) return
    const at = new Date()
    measured.push({ id: monitor.id, at, result })
    const isSteady = result.state === 'up' && status.state === 'up' && status.failures === 0 && status.incidentId === null
    if (!isSteady || status.result !== 'up')
      await recordOutcome(app, context, monitor, result, { now: at, claimedUntil: status.nextAt })
    await write()
  }

  let isFirst = true
  app.queue.recur({
    most: mostAtOnce,
    async take(count, stopping) {
      if (isFirst) await forgiveSilence(db)
      isFirst = false
      const due = await claimDue(db, count)
      return due.map((one) => () => check(one, stopping))
    },
  })
  return resolver
}

const stepS = 300
const hourS = 3_600
const dayS = 86_400

/** Adds results to their five minutes, and the times of those that changed nothing else. */
async function storeMeasured(db: Database, batch: readonly Measured[]) {
  const known = batch.filter(({ result }) => result.state !== 'unknown')
  if (known.length === 0) return
  const figures = Map.groupBy(known, ({ id, at }) => `${id} ${Math.floor(at.getTime() / 1_000 / stepS) * stepS}`)
  const rows = [...figures]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, all]) => {
      const [id = 0, at = 0] = key.split(' ').map(Number)
      const times = all.flatMap(({ result: { ms } }) => (ms === null ? [] : [ms]))
      const count = (state: string) => all.filter(({ result }) => result.state === state).length
      return {
        monitorId: id,
        step: stepS,
        at: new Date(at * 1_000),
        checks: all.length,
        degraded: count('degraded'),
        down: count('down'),
        timed: times.length,
        msSum: times.reduce((sum, ms) => sum + ms, 0),
        msMax: Math.max(0, ...times),
      }
    })
  const last = JSON.stringify(
    [...new Map(known.map((one) => [one.id, one])).values()].map(({ id, at, result }) => ({
      id,
      at: at.toISOString(),
      ms: result.ms,
    })),
  )
  await db.transaction(async (tx) => {
    await lockNetworks(tx)
    // A monitor may have been deleted during its check.
    await tx.execute(sql`
      update ${monitorStatus} s set checked_at = greatest(s.checked_at, r.at), ms = r.ms
      from jsonb_to_recordset(${last}::jsonb) as r(id int, at timestamptz, ms int) where s.monitor_id = r.id`)
    const ids = rows.map(({ monitorId }) => monitorId)
    const there = await tx
      .select({ id: networkMonitors.id })
      .from(networkMonitors)
      .where(inArray(networkMonitors.id, ids))
      .orderBy(networkMonitors.id)
      .for('key share')
    const stored = new Set(there.map(({ id }) => id))
    await addFigures(
      tx,
      rows.filter(({ monitorId }) => stored.has(monitorId)),
    )
  })
}

async function addFigures(tx: Database, rows: (typeof monitorFigures.$inferInsert)[]) {
  if (rows.length === 0) return
  const add = (name: string) => sql.raw(`network_monitor_figures.${name} + excluded.${name}`)
  await tx
    .insert(monitorFigures)
    .values(rows)
    .onConflictDoUpdate({
      target: [monitorFigures.monitorId, monitorFigures.step, monitorFigures.at],
      set: {
        checks: add('checks'),
        degraded: add('degraded'),
        down: add('down'),
        timed: add('timed'),
        msSum: add('ms_sum'),
        msMax: sql.raw('greatest(network_monitor_figures.ms_max, excluded.ms_max)'),
      },
    })
}

/** A check that somebody asked for counts like the others. */
export async function storeOne(db: Database, id: number, at: Date, result: Result) {
  await storeMeasured(db, [{ id, at, result }])
}

const spans: Record<MonitorPeriod, { step: number; days: number }> = {
  day: { step: stepS, days: 1 },
  month: { step: hourS, days: 30 },
  year: { step: dayS, days: 366 },
}
/** How long each kind of figure is stored, in days. */
const figureDays = { [stepS]: 2, [hourS]: 31, [dayS]: 762 } as const
const eventDays = 90
const mostEvents = 200
const dayMs = 86_400_000

/** Hours, or days, that are summed up again: the product may have been away for some. */
const summedAgain = 12

/** Sums of the last hours or days, from the finer figures. */
async function sumUp(db: Database, from: number, to: number, now: Date) {
  await db.execute(sql`
    insert into ${monitorFigures} (monitor_id, step_s, at, checks, degraded, down, timed, ms_sum, ms_max)
    select monitor_id, ${to}::int, to_timestamp(floor(extract(epoch from at) / ${to}::int) * ${to}::int),
      sum(checks), sum(degraded), sum(down), sum(timed), sum(ms_sum), max(ms_max)
    from ${monitorFigures}
    where step_s = ${from}::int and at >= to_timestamp(floor(${now.getTime() / 1_000}::float8 / ${to}::int - ${summedAgain}) * ${to}::int)
    group by 1, 2, 3
    on conflict (monitor_id, step_s, at) do update set checks = excluded.checks, degraded = excluded.degraded,
      down = excluded.down, timed = excluded.timed, ms_sum = excluded.ms_sum, ms_max = excluded.ms_max`)
}

/** Sums up the last hours and days, and deletes what is past its time. */
export async function keepFigures(db: Database, now = new Date()) {
  await sumUp(db, stepS, hourS, now)
  await sumUp(db, hourS, dayS, now)
  for (const [step, days] of Object.entries(figureDays)) {
    const isOld = lt(monitorFigures.at, new Date(now.getTime() - days * dayMs))
    await db.delete(monitorFigures).where(and(eq(monitorFigures.step, Number(step)), isOld))
  }
  await db.delete(monitorEvents).where(lt(monitorEvents.at, new Date(now.getTime() - eventDays * dayMs)))
}

export async function findHistory(db: Database, id: number, period: MonitorPeriod, now = new Date()): Promise<MonitorHistory> {
  const { step, days } = spans[period]
  const from = new Date(now.getTime() - days * dayMs)
  const points = await db
    .select()
    .from(monitorFigures)
    .where(
      sql`${monitorFigures.monitorId} = ${id} and ${monitorFigures.step} = ${step} and ${monitorFigures.at} >= ${from.toISOString()}`,
    )
    .orderBy(monitorFigures.at)
  const events = await db
    .select()
    .from(monitorEvents)
    .where(eq(monitorEvents.monitorId, id))
    .orderBy(sql`${monitorEvents.at} desc, ${monitorEvents.id} desc`)
    .limit(mostEvents)
  return {
    step_s: step,
    points: points.map(({ at, checks, degraded, down, timed, msSum, msMax }) => ({
      at: at.toISOString(),
      checks,
      degraded,
      down,
      ms: timed > 0 ? Math.round(msSum / timed) : null,
      ms_max: timed > 0 ? msMax : null,
    })),
    events: events.map(({ at, state, ms, reason, detail }) => ({ at: at.toISOString(), state, ms, reason, detail })),
  }
}
