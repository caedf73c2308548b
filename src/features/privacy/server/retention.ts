import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { App } from '#src/server/types.ts'
import { purgeSessions, tellEnded } from '#src/features/people/sign-in/server/sessions.ts'
import type { RetentionPeriod } from '../contract.ts'
import { incidentMonths, purgeIncidents } from './incidents.ts'

const dayMs = 86_400_000
const author = { userId: null, name: 'retention', address: '' }

/** Applies every retention period; runs each night. Answers how many of each kind were erased. */
export async function applyRetention(app: App, now = new Date()) {
  const purged: Record<string, number> = {}
  for (const { kind, retention } of app.personalData) {
    if (!retention) continue
    const before =
      'months' in retention
        ? monthsBefore(now, retention.months)
        : new Date(now.getTime() - (await retention.findDays(app.db)) * dayMs)
    purged[kind] = await retention.purge(app.db, before)
  }
  purged.incidents = await purgeIncidents(app.db, monthsBefore(now, incidentMonths))
  tellEnded(app.events, await purgeSessions(app.db))
  if (Object.values(purged).some((count) => count > 0)) {
    await app.db.transaction((tx) => recordChange(tx, author, { area: 'privacy', action: 'apply retention', after: { purged } }))
  }
  return purged
}

export async function findRetentionPeriods(app: App): Promise<RetentionPeriod[]> {
  const periods: RetentionPeriod[] = []
  for (const { kind, retention } of app.personalData) {
    if (!retention) continue
    if ('months' in retention) periods.push({ kind, count: retention.months, unit: 'months' })
    else periods.push({ kind, count: await retention.findDays(app.db), unit: 'days' })
  }
  return [...periods, { kind: 'incidents', count: incidentMonths, unit: 'months' }]
}

function monthsBefore(now: Date, months: number) {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - months)
  return before
}
