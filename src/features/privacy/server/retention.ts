import { recordChange } from '#src/server/journal.ts'
import type { App } from '#src/server/types.ts'
import { purgeSessions, tellEnded } from '../../auth/server/sessions.ts'
import { incidentMonths, purgeIncidents } from './incidents.ts'

const author = { userId: null, name: 'retention', address: '' }

/** Applies every period of retention; run each night. Answers how much of each kind went. */
export async function applyRetention(app: App, now = new Date()) {
  const purged: Record<string, number> = {}
  for (const { kind, retention } of app.personalData) {
    if (retention) purged[kind] = await retention.purge(app.db, monthsBefore(now, retention.months))
  }
  purged.incidents = await purgeIncidents(app.db, monthsBefore(now, incidentMonths))
  tellEnded(app.events, await purgeSessions(app.db))
  if (Object.values(purged).some((count) => count > 0)) {
    await app.db.transaction((tx) => recordChange(tx, author, { area: 'privacy', action: 'apply retention', after: { purged } }))
  }
  return purged
}

export function retentionPeriods(app: App) {
  const kinds = app.personalData.flatMap(({ kind, retention }) => (retention ? [{ kind, months: retention.months }] : []))
  return [...kinds, { kind: 'incidents', months: incidentMonths }]
}

function monthsBefore(now: Date, months: number) {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - months)
  return before
}
