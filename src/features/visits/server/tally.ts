import { sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import type { App } from '#src/server/types.ts'
import type { VisitField, VisitKind } from '../values.ts'
import { mostKeys, mostKeysToday, otherKey, visitFields } from '../values.ts'

/** Counts are stored together after this time, so that no request waits for the database. */
const settled = 1_000
/** Keys of one kind in memory; a flood of made-up ones counts as "other". */
const mostPending = 2_000
/** One flush at a time on all instances: two that trim and add at once would wait for each other. */
const flushLock = 4_201_207
/** More new keys than this in one flush: the day is trimmed at once. */
const manyKeys = 200

const added = sql.raw(visitFields.map((field) => `${field} = visit_counts.${field} + excluded.${field}`).join(', '))

type Counts = Record<VisitField, number>

/** Counts by day, kind and key in memory. */
export function createVisitTally({ db, log }: Pick<App, 'db' | 'log'>) {
  let pending = new Map<string, Map<VisitKind, Map<string, Counts>>>()
  let day = ''
  let dayReadAt = Number.NEGATIVE_INFINITY
  let trimmedFor = ''
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  function add(on: string, kind: VisitKind, key: string, fields: Partial<Counts>) {
    const kinds = pending.get(on) ?? new Map<VisitKind, Map<string, Counts>>()
    pending.set(on, kinds)
    const counts = kinds.get(kind) ?? new Map<string, Counts>()
    kinds.set(kind, counts)
    const shown = counts.has(key) || counts.size < mostPending ? key : otherKey
    let known = counts.get(shown)
    if (!known) counts.set(shown, (known = { views: 0, visits: 0, forms: 0, forms_begun: 0, chats: 0, chats_begun: 0 }))
    for (const field of visitFields) known[field] += fields[field] ?? 0
    timer ??= setTimeout(() => void flushSafely(), settled).unref()
  }

  /** Formats the day once a second at most, which would otherwise cost as much as all the rest. */
  function today() {
    const now = performance.now()
    if (now - dayReadAt < 1_000) return day
    dayReadAt = now
    day = dayIn(company.hours.timeZone, new Date())
    return day
  }

  function count(entries: readonly (readonly [VisitKind, string])[], fields: Partial<Counts>) {
    const on = today()
    for (const [kind, key] of entries) add(on, kind, key, fields)
  }

  async function store() {
    clearTimeout(timer)
    timer = undefined
    const taken = pending
    if (taken.size === 0) return
    pending = new Map()
    const groups = [...taken].flatMap(([on, kinds]) => [...kinds].map(([kind, counts]) => ({ on, kind, counts })))
    const rows = groups.flatMap(({ on, kind, counts }) => [...counts].map(([key, fields]) => ({ day: on, kind, key, ...fields })))
    const current = today()
    try {
      await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${flushLock}::bigint)`)
        await tx.execute(sql`insert into visit_counts (day, kind, key, views, visits, forms, forms_begun, chats, chats_begun)
          select day, kind, key, views, visits, forms, forms_begun, chats, chats_begun
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as counted (day date, kind text, key text, views integer,
            visits integer, forms integer, forms_begun integer, chats integer, chats_begun integer)
          on conflict (day, kind, key) do update set ${added}`)
        for (const { on, kind, counts } of groups)
          if (counts.size > manyKeys) await trim(tx, sql`day = ${on}::date and kind = ${kind}`, mostKeysToday)
        if (trimmedFor !== current) await trim(tx, sql`day < ${current}::date`, mostKeys)
      })
      trimmedFor = current
    } catch (error) {
      for (const { day: on, kind, key, ...fields } of rows) add(on, kind, key, fields)
      throw error
    }
  }

  /** Adds what is seen least of a day and kind to its "other". */
  async function trim(tx: Pick<App['db'], 'execute'>, where: ReturnType<typeof sql>, most: number) {
    await tx.execute(sql`with ranked as (
        select day, kind, key, row_number() over (partition by day, kind order by views + visits + forms + chats desc, key) as place
        from visit_counts where ${where} and key not in ('', ${otherKey})
      ), gone as (
        delete from visit_counts using ranked where ranked.place > ${most}::int
          and visit_counts.day = ranked.day and visit_counts.kind = ranked.kind and visit_counts.key = ranked.key
        returning visit_counts.*
      ) insert into visit_counts (day, kind, key, views, visits, forms, forms_begun, chats, chats_begun)
        select day, kind, ${otherKey}, sum(views), sum(visits), sum(forms), sum(forms_begun), sum(chats), sum(chats_begun)
        from gone group by day, kind
      on conflict (day, kind, key) do update set ${added}`)
  }

  function flush() {
    flushing = flushing.catch(() => undefined).then(store)
    return flushing
  }
  async function flushSafely() {
    await flush().catch((error: unknown) => log.warn({ err: error }, 'visits were not stored yet'))
  }

  return { count, flush, flushSafely, today }
}

export type VisitTally = ReturnType<typeof createVisitTally>

const tallies = new WeakMap<object, VisitTally>()

/** The one tally of an application. */
export function tallyOf(app: App): VisitTally {
  const known = tallies.get(app.db)
  if (known) return known
  const tally = createVisitTally(app)
  tallies.set(app.db, tally)
  app.addHook('onClose', () => tally.flushSafely())
  return tally
}
