import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { findAnnouncedSince } from '#src/features/updates/server/service.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import { daySpan } from '#src/lib/time/zoned-time.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { createPauses } from '#src/server/background/pauses.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import type { ElementHistory, HistoryDay, Network, Ribbon } from '../contract.ts'
import { parseDetails } from '../contract.ts'
import type { NetworkStatus } from '../values.ts'
import { ribbonDays, statusesOf } from '../values.ts'
import { findRenamed, renameElement } from './renamed-elements.ts'
import type { StoredDay } from './table.ts'
import { elementChanges, elementMonths, networks } from './table.ts'

const { timeZone } = company.hours
/** A month is stored a day after its end, so that nothing is undone in it any more. */
const closedAfterMs = 86_400_000

export type Day = {
  date: string
  worst: HistoryDay['worst']
  down: number
  degraded: number
  maintenance: number
  monitored: number
}
type Change = { to: NetworkStatus | null; at: Date }
type Span = { starts: number; ends: number }
type DaySpan = Span & { date: string }
/** A component with its days, in seconds. */
export type ElementDays = { id_reseau: number; nom: string; since: string | null; changed: string | null; days: Day[] }

/** Records what a change of a network does to the statuses of its components, in the transaction of that change. */
export async function recordStatuses(
  tx: Database,
  author: Author,
  before: Network | null,
  after: Network | null,
  incidentId: number | null = null,
) {
  const readStatuses = (one: Network | null) => ({ status: one?.status ?? '', details: one ? parseDetails(one.details) : [] })
  const [was, is] = [readStatuses(before), readStatuses(after)]
  const id = after?.id_reseau ?? before?.id_reseau ?? 0
  const former = statusesOf(was)
  const current = statusesOf(is)
  for (const [old, renamed] of findRenamed(was.details, is.details)) {
    await renameElement(tx, id, old, renamed)
    const status = former.get(old)
    if (status) former.set(renamed, status)
    former.delete(old)
  }
  const at = new Date()
  const rows = [...new Set([...former.keys(), ...current.keys()])].flatMap((element) => {
    const [from, to] = [former.get(element) ?? null, current.get(element) ?? null]
    if (from === to) return []
    return [{ networkId: id, element, from, to, at, userId: author.userId, author: author.name, incidentId }]
  })
  if (rows.length > 0) await tx.insert(elementChanges).values(rows)
}

/**
 * Folds changes into days. `initial` is the status before the first change; time in announced maintenance counts neither as
 * monitored nor as down; nothing after `now` counts.
 */
export function foldDays(
  changes: readonly Change[],
  initial: NetworkStatus | null,
  windows: readonly Span[],
  spans: readonly DaySpan[],
  now: number,
): Day[] {
  let status = initial
  let next = 0
  return spans.map(({ date, starts, ends }) => {
    const day: Day = { date, worst: null, down: 0, degraded: 0, maintenance: 0, monitored: 0 }
    const until = Math.min(ends, now)
    let from = starts
    const count = (to: number) => {
      if (status === null || to <= from) return
      const maintenance = overlap(windows, from, to)
      const rest = (to - from - maintenance) / 1_000
      day.maintenance += maintenance / 1_000
      day.monitored += rest
      if (status === 'ERROR') day.down += rest
      if (status === 'WARNING') day.degraded += rest
    }
    for (let change = changes[next]; change && change.at.getTime() < until; change = changes[++next]) {
      const at = Math.max(change.at.getTime(), starts)
      count(at)
      from = at
      status = change.to
    }
    count(until)
    day.worst =
      day.down > 0
        ? 'ERROR'
        : day.degraded > 0
          ? 'WARNING'
          : day.maintenance > 0
            ? 'MAINTENANCE'
            : day.monitored > 0
              ? 'OK'
              : null
    return day
  })
}

/** Milliseconds of a span that lie in windows, which may overlap each other. */
function overlap(windows: readonly Span[], from: number, to: number) {
  let total = 0
  let reached = from
  for (const { starts, ends } of windows) {
    const [begin, end] = [Math.max(starts, reached), Math.min(ends, to)]
    if (end <= begin) continue
    total += end - begin
    reached = end
  }
  return total
}

/** Monitored time less outages and half of degraded time, as a ratio; announced maintenance is left out. */
export function availabilityOf(days: readonly Day[]) {
  const sum = (key: 'down' | 'degraded' | 'monitored') => days.reduce((total, day) => total + day[key], 0)
  const monitored = sum('monitored')
  return monitored > 0 ? Math.round((1e5 * (monitored - sum('down') - sum('degraded') / 2)) / monitored) / 1e5 : null
}

/** Stored because the offset of the zone is computed with a new formatter each time. */
const spanOf = new Map<string, DaySpan>()

function findSpan(date: string): DaySpan {
  const known = spanOf.get(date)
  if (known) return known
  const { starts, ends } = daySpan(timeZone, date)
  const span = { date, starts: starts.getTime(), ends: ends.getTime() }
  spanOf.set(date, span)
  return span
}

function findSpans(first: string, last: string) {
  const spans: DaySpan[] = []
  for (let date = first; date <= last; date = addDays(date, 1)) spans.push(findSpan(date))
  return spans
}

type ElementRow = {
  network_id: number
  element: string
  initial: NetworkStatus | null
  since: Date | string | null
  changed: Date | string | null
}

/** The components that there are, with their status before a moment, and since when they are known. */
async function findElements(db: Database, before: Date): Promise<ElementRow[]> {
  const { rows } = (await db.execute(sql`
    select e.network_id, e.element,
      (select c.to_status from ${elementChanges} c where c.network_id = e.network_id and c.element = e.element
        and c.at < ${before.toISOString()}::timestamptz order by c.at desc, c.id desc limit 1) as initial,
      (select c.at from ${elementChanges} c where c.network_id = e.network_id and c.element = e.element
        order by c.at, c.id limit 1) as since,
      (select c.at from ${elementChanges} c where c.network_id = e.network_id and c.element = e.element
        order by c.at desc, c.id desc limit 1) as changed
    from (
      select n.id as network_id, n.name, coalesce(nullif(trim(d.detail->>'nom'), ''), trim(d.detail->>'nom_en')) as element,
        min(d.position) as position
      from ${networks} n, jsonb_array_elements(n.details) with ordinality as d(detail, position) group by 1, 2, 3
      union all select n.id, n.name, '', 0 from ${networks} n
    ) e where e.position = 0 or e.element <> '' order by e.name, e.network_id, e.position`)) as { rows: ElementRow[] }
  return rows
}

const asIso = (at: Date | string | null) => at && new Date(at).toISOString()
const keyOf = (networkId: number, element: string) => `${networkId} ${element}`

/** The last days of each component, today last. Months that are over are read as they were stored. */
export async function findElementDays(db: Database, count: number, now = new Date()): Promise<ElementDays[]> {
  const today = dayIn(timeZone, now)
  const first = addDays(today, 1 - count)
  const months = await db
    .select()
    .from(elementMonths)
    .where(gte(elementMonths.month, first.slice(0, 7)))
    .orderBy(asc(elementMonths.month))
  const closed = months.at(-1)?.month
  const openFrom = closed && monthAfter(closed) > first ? monthAfter(closed) : first
  const openSpans = findSpans(openFrom, today)
  const since = new Date(openSpans[0]?.starts ?? now)
  const [elements, changes, windows] = await Promise.all([
    findElements(db, since),
    db
      .select({
        networkId: elementChanges.networkId,
        element: elementChanges.element,
        to: elementChanges.to,
        at: elementChanges.at,
      })
      .from(elementChanges)
      .where(gte(elementChanges.at, since))
      .orderBy(asc(elementChanges.at), asc(elementChanges.id)),
    findWindows(db, since),
  ])
  const changesOf = Map.groupBy(changes, ({ networkId, element }) => keyOf(networkId, element))
  const monthsOf = Map.groupBy(months, ({ networkId, element }) => keyOf(networkId, element))
  const closedDates = findSpans(first, addDays(openFrom, -1))
  // Most components have the same history, and share its days: thousands of lists would hold up everything else.
  const known = new Map<string, Day[]>()
  const findDays = (id: number, nom: string, initial: NetworkStatus | null) => {
    const key = keyOf(id, nom)
    const own = { changes: changesOf.get(key) ?? [], windows: windows(id, nom), months: monthsOf.get(key) ?? [] }
    const changes = own.changes.map(({ to, at }) => [to, at.getTime()])
    const history = JSON.stringify([initial, changes, own.windows, own.months.map(({ month, days }) => [month, days])])
    const shared = known.get(history)
    if (shared) return shared
    const stored = new Map<string, Day[]>(own.months.map(({ month, days }) => [month, readMonth(month, days)]))
    const past = closedDates.map(({ date }) => stored.get(date.slice(0, 7))?.[Number(date.slice(8)) - 1] ?? noData(date))
    const days = [...past, ...foldDays(own.changes, initial, own.windows, openSpans, now.getTime())]
    known.set(history, days)
    return days
  }
  const found: ElementDays[] = []
  const pause = createPauses()
  for (const { network_id: id, element: nom, initial, since: start, changed } of elements) {
    found.push({ id_reseau: id, nom, since: asIso(start), changed: asIso(changed), days: findDays(id, nom, initial) })
    await pause()
  }
  return found
}

const noData = (date: string): Day => ({ date, worst: null, down: 0, degraded: 0, maintenance: 0, monitored: 0 })

/** Announced maintenance of each component: that which names it, or its whole network. */
async function findWindows(db: Database, since: Date) {
  const byName = new Map<string, Span[]>()
  for (const { elements, startsAt, endsAt } of await findAnnouncedSince(db, since)) {
    for (const { id_reseau, nom } of elements) {
      const key = keyOf(id_reseau, nom)
      byName.set(key, [...(byName.get(key) ?? []), { starts: startsAt.getTime(), ends: endsAt.getTime() }])
    }
  }
  return (networkId: number, element: string): Span[] => {
    const own = byName.get(keyOf(networkId, element)) ?? []
    const whole = element === '' ? [] : (byName.get(keyOf(networkId, '')) ?? [])
    return whole.length > 0 ? [...own, ...whole].toSorted((one, other) => one.starts - other.starts) : own
  }
}

const monthAfter = (month: string) => addDays(`${month}-28`, 7).slice(0, 8) + '01'

const isWell = ({ worst, monitored }: Day, { starts, ends }: Span) => worst === 'OK' && monitored === (ends - starts) / 1_000

function readMonth(month: string, stored: readonly StoredDay[]): Day[] {
  const byDay = new Map(stored.map((day) => [day[0], day]))
  return findSpans(`${month}-01`, addDays(monthAfter(month), -1)).map(({ date, starts, ends }, index) => {
    const found = byDay.get(index + 1)
    if (!found) return { ...noData(date), worst: 'OK', monitored: (ends - starts) / 1_000 }
    const [, worst, down, degraded, maintenance, monitored] = found
    return { date, worst: worst as Day['worst'], down, degraded, maintenance, monitored }
  })
}

/** Stores each month that is over, oldest first, so that years of history are read as fast as a quarter. */
export async function closeMonths(db: Database, now = new Date()) {
  const [last] = await db.select().from(elementMonths).orderBy(desc(elementMonths.month)).limit(1)
  const [oldest] = await db.select({ at: elementChanges.at }).from(elementChanges).orderBy(asc(elementChanges.at)).limit(1)
  if (!oldest) return
  const from = last ? monthAfter(last.month) : `${dayIn(timeZone, oldest.at).slice(0, 7)}-01`
  const until = dayIn(timeZone, new Date(now.getTime() - closedAfterMs)).slice(0, 7)
  for (let start = from; start.slice(0, 7) < until; start = monthAfter(start.slice(0, 7))) await closeMonth(db, start.slice(0, 7))
}

async function closeMonth(db: Database, month: string) {
  const spans = findSpans(`${month}-01`, addDays(monthAfter(month), -1))
  const [starts, ends] = [new Date(spans[0]?.starts ?? 0), new Date(spans.at(-1)?.ends ?? 0)]
  const initial = await db
    .selectDistinctOn([elementChanges.networkId, elementChanges.element])
    .from(elementChanges)
    .where(lt(elementChanges.at, starts))
    .orderBy(elementChanges.networkId, elementChanges.element, desc(elementChanges.at), desc(elementChanges.id))
  const changes = await db
    .select()
    .from(elementChanges)
    .where(and(gte(elementChanges.at, starts), lt(elementChanges.at, ends)))
    .orderBy(asc(elementChanges.at), asc(elementChanges.id))
  const windows = await findWindows(db, starts)
  const initialOf = new Map(initial.map((row) => [keyOf(row.networkId, row.element), row]))
  const changesOf = Map.groupBy(changes, ({ networkId, element }) => keyOf(networkId, element))
  const rows = [...new Map([...initial, ...changes].map((row) => [keyOf(row.networkId, row.element), row]))].map(([key, row]) => {
    const own = windows(row.networkId, row.element)
    const days = foldDays(changesOf.get(key) ?? [], initialOf.get(key)?.to ?? null, own, spans, ends.getTime())
    const stored = days.flatMap((day, index): StoredDay[] => {
      const span = spans[index]
      if (!span || isWell(day, span)) return []
      return [[index + 1, day.worst, day.down, day.degraded, day.maintenance, day.monitored]]
    })
    return { month, networkId: row.networkId, element: row.element, days: stored }
  })
  if (rows.length > 0) await db.insert(elementMonths).values(rows).onConflictDoNothing()
}

/** A short outage still shows. */
const minutesOf = (seconds: number) => (seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0)

export function toHistory({ id_reseau, nom, since, days }: ElementDays): ElementHistory {
  return {
    id_reseau,
    nom,
    since,
    availability: availabilityOf(days),
    days: days.map(({ date, worst, down, degraded, maintenance }) => ({
      date,
      worst,
      down_minutes: minutesOf(down),
      degraded_minutes: minutesOf(degraded),
      maintenance_minutes: minutesOf(maintenance),
    })),
  }
}

const dayCodes = { OK: 'o', WARNING: 'w', ERROR: 'e', MAINTENANCE: 'm' } as const

export function toRibbon({ id_reseau, nom, since, changed, days }: ElementDays): Ribbon {
  const known = drawnDays.get(days) ?? drawDays(days)
  drawnDays.set(days, known)
  return { id_reseau, nom, since, changed, ...known }
}

/** Components with the same history share their days. */
const drawnDays = new WeakMap<readonly Day[], ReturnType<typeof drawDays>>()

function drawDays(days: readonly Day[]) {
  const lengths: Ribbon['lengths'] = {}
  for (const [index, { worst, down, degraded, maintenance }] of days.entries())
    if (worst && worst !== 'OK') lengths[index] = [minutesOf(down), minutesOf(degraded), minutesOf(maintenance)]
  return {
    availability: availabilityOf(days),
    days: days.map(({ worst }) => (worst ? dayCodes[worst] : '.')).join(''),
    lengths,
  }
}

/** What visitors read, stored in memory until the networks change. */
export const readRibbonDays = ({ content, db }: Reader) =>
  content.read('networks', 'ribbon', () => findElementDays(db, ribbonDays))

const changesShown = 1_000

/** Each change with who made it, newest first, for staff. */
export async function findElementChanges(db: Database, { days, id_reseau }: { days: number; id_reseau?: number | undefined }) {
  const { starts } = findSpan(addDays(dayIn(timeZone, new Date()), 1 - days))
  const rows = await db
    .select()
    .from(elementChanges)
    .where(
      and(
        gte(elementChanges.at, new Date(starts)),
        id_reseau === undefined ? undefined : eq(elementChanges.networkId, id_reseau),
      ),
    )
    .orderBy(desc(elementChanges.at), desc(elementChanges.id))
    .limit(changesShown)
  return rows.map(({ networkId, element, from, to, at, author, incidentId }) => ({
    id_reseau: networkId,
    nom: element,
    from,
    to,
    at: at.toISOString(),
    author,
    id_incident: incidentId,
  }))
}
