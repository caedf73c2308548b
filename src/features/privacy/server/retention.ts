import { setImmediate } from 'node:timers/promises'
import { getTableName, sql } from 'drizzle-orm'
import { applyStoredFacts } from '#src/features/company/server/service.ts'
import type { HealthReport } from '#src/features/content/server/feature.ts'
import { purgeSessions, publishEndedSessions } from '#src/features/people/sign-in/server/sessions.ts'
import { translateAll } from '#src/lib/form-result.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { findLastEntry, recordChange } from '#src/server/audit-log/audit-log.ts'
import { Invalid } from '#src/server/problems.ts'
import { retentionKinds } from '#src/lib/retention.ts'
import { beginningOf, findPeriods } from '#src/server/retention/periods.ts'
import { retentionPeriods } from '#src/server/retention/retention-table.ts'
import type { App } from '#src/server/types.ts'
import type { RetentionPeriod, TableEnding } from '../contract.ts'
import { retentionTexts } from '../texts.ts'
import { purgeIncidents } from './incidents.ts'

const dayMs = 86_400_000
const nightly = { userId: null, name: 'retention', address: '' }

/** Records of one transaction: few enough for the embedded database's only connection. */
const partSize = 200
/** Of one kind in a night; the next night goes on. */
const kindMs = 120_000

type Purge = (limit: number) => Promise<number>

/**
 * Applies every retention period; runs each night. Kinds are independent: one that fails is logged, counted and recorded, and
 * the others go on. Returns the number of erased records by kind, and the kinds that failed.
 */
export async function applyRetention(app: App, now = new Date(), part = partSize) {
  const purged: Record<string, number> = {}
  const failed: string[] = []
  const attempt = async (kind: string, purge: () => Promise<Purge>) => {
    purged[kind] = 0
    try {
      const purgePart = await purge()
      const until = performance.now() + kindMs
      for (let erased = part; erased >= part && performance.now() < until;) {
        erased = await purgePart(part)
        purged[kind] += erased
        // On the embedded database, statements that wait come first.
        await setImmediate()
      }
    } catch (error) {
      failed.push(kind)
      app.metrics.retentionFailed(kind)
      app.log.error({ err: error, kind, erased: purged[kind] }, 'retention failed')
    }
  }
  const periods = await findPeriods(app.db)
  for (const { kind, retention } of app.personalData) {
    if (!retention) continue
    const period = periods[kind as keyof typeof periods]
    await attempt(kind, async () => (limit) => retention.purge(app.db, beginningOf(period, now), limit))
  }
  for (const end of app.tableEnds) {
    if (!('days' in end) || !end.purge) continue
    const { purge, days, label } = end
    await attempt(label.fr, async () => (limit) => purge(app, new Date(now.getTime() - days * dayMs), limit))
  }
  await attempt('incidents', async () => async () => {
    const erased = await purgeIncidents(app.db, beginningOf(periods.incidents, now))
    purged.incidents = erased
    return 0
  })
  publishEndedSessions(app.events, await purgeSessions(app.db))
  if (failed.length > 0 || Object.values(purged).some((count) => count > 0)) {
    const after = { purged, ...(failed.length > 0 && { failed }) }
    await app.db.transaction((tx) =>
      recordChange(tx, nightly, { area: 'privacy', action: 'apply retention', entryId: retentionEntry, after }),
    )
  }
  return { purged, failed }
}

const retentionEntry = 'retention'

/** Null where retention last erased everything that was due. */
export async function findRetentionHealth({ db }: App): Promise<HealthReport | null> {
  const last = await findLastEntry(db, 'privacy', retentionEntry)
  const { failed } = (last?.after ?? {}) as { failed?: string[] }
  if (!last || !failed?.length) return null
  const values = { at: last.at.toISOString(), kinds: failed.join(', ') }
  return {
    label: translateAll(retentionTexts, 'label'),
    status: 'ERROR',
    lines: [translateAll(retentionTexts, 'failed', values)],
    advice: {
      text: translateAll(retentionTexts, 'advice'),
      link: translateAll(retentionTexts, 'link'),
      path: '/admin/privacy',
    },
  }
}

export async function findRetentionPeriods({ db }: App): Promise<RetentionPeriod[]> {
  const periods = await findPeriods(db)
  return retentionKinds.map((kind) => ({ kind, ...periods[kind] }))
}

/** The regulation requires five years from the day the company knew. */
const incidentMonths = 60

/** Stores the periods; kinds that are not named keep theirs. What pages say of them changes at once. */
export async function saveRetentionPeriods(app: App, author: Author, periods: RetentionPeriod[]) {
  const named = new Set(periods.map(({ kind }) => kind))
  if (named.size < periods.length) throw new Invalid('A kind is named twice.', [{ path: 'kind', message: 'once' }])
  for (const [index, { kind, count, unit }] of periods.entries())
    if (kind === 'incidents' && (unit === 'days' || count < incidentMonths))
      throw new Invalid('The register of incidents is stored for five years at least.', [
        { path: `${index}.count`, message: 'at least 60 months' },
      ])
  const saved = await app.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('retention_periods'))`)
    const before = await findPeriods(tx)
    for (const { kind, count, unit } of periods)
      await tx
        .insert(retentionPeriods)
        .values({ kind, count, unit })
        .onConflictDoUpdate({ target: retentionPeriods.kind, set: { count, unit } })
    const after = await findPeriods(tx)
    const changed = retentionKinds.filter((kind) => JSON.stringify(before[kind]) !== JSON.stringify(after[kind]))
    if (changed.length === 0) return false
    const inWords = (all: typeof after) =>
      Object.fromEntries(changed.map((kind) => [kind, `${all[kind].count} ${all[kind].unit}`]))
    const change = { area: 'privacy', action: 'update', entryId: 'periods', before: inWords(before), after: inWords(after) }
    await recordChange(tx, author, change)
    return true
  })
  if (saved) {
    await applyStoredFacts(app.db)
    // Notices and policy name the periods: pages that are cached or open show the new ones.
    app.events.changed('company')
  }
  return findRetentionPeriods(app)
}

/** When the rows of each table end: with a kind of `findRetentionPeriods`, after days of their own, or why they stay. */
export const findTableEnds = (app: App): TableEnding[] =>
  app.tableEnds.map((end) => ({
    label: end.label,
    tables: end.tables.map((table) => getTableName(table)),
    kind: 'kind' in end ? end.kind : null,
    days: 'days' in end ? end.days : null,
    reason: 'reason' in end ? end.reason : null,
  }))
