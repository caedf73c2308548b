import { sql } from 'drizzle-orm'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import type { BusinessHours } from '#src/lib/time/business-hours.ts'
import { addBusinessMinutes, businessMinutes } from '#src/lib/time/business-hours.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import type { RequestSettings } from '../contract.ts'
import type { Priority, RequestStatus } from '../values.ts'
import { requestSettingsTable } from './table.ts'

const defaults: RequestSettings = {
  version: 0,
  goals: {
    urgent: { respond_minutes: 30, resolve_minutes: 240 },
    high: { respond_minutes: 60, resolve_minutes: 540 },
    normal: { respond_minutes: 120, resolve_minutes: 1_080 },
    low: { respond_minutes: 540, resolve_minutes: 2_700 },
  },
  reopen_days: 90,
  unknown_mail: 'request',
}

export async function findSettings(db: Database): Promise<RequestSettings> {
  const [row] = await db.select().from(requestSettingsTable)
  return row ? { ...defaults, ...row.settings, version: row.version } : defaults
}

/** Saves all settings; throws `Conflict` with the current ones where the version is not the last. */
export async function saveSettings(db: Database, author: Author, input: RequestSettings): Promise<RequestSettings> {
  const save = async (tx: Database) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('request_settings'))`)
    const before = await findSettings(tx)
    const { version, ...settings } = input
    if (before.version !== version) {
      const refused = { ...settings, version: before.version }
      throw await RefusedVersion.of(tx, author, { area: 'requests', entryId: 'settings', before, after: refused })
    }
    const row = { version: version + 1, settings }
    await tx
      .insert(requestSettingsTable)
      .values({ id: 1, ...row })
      .onConflictDoUpdate({ target: requestSettingsTable.id, set: row })
    const after = { ...settings, version: row.version }
    await recordChange(tx, author, { area: 'requests', action: 'update', entryId: 'settings', before, after })
    return after
  }
  return db.transaction(save).catch(keepRefused(db))
}

/** When a request of this priority is late with the first reply, and with the solution. */
export function findGoals({ goals }: RequestSettings, hours: BusinessHours, priority: Priority, from: Date) {
  const { respond_minutes: respond, resolve_minutes: resolve } = goals[priority]
  return { respondBy: addBusinessMinutes(hours, from, respond), resolveBy: addBusinessMinutes(hours, from, resolve) }
}

/** A goal later by the business minutes that passed since the request waits for the customer, or is done. */
export function postponeGoal(hours: BusinessHours, goal: Date | null, since: Date | null, now: Date) {
  if (!goal || !since || goal < since) return goal
  return addBusinessMinutes(hours, goal, businessMinutes(hours, since, now))
}

/** A goal later by each time for which a request waited for the customer or was done, by the changes of its status. */
export function postponeByPauses(
  hours: BusinessHours,
  goal: Date,
  changes: readonly { at: Date; to: RequestStatus | 'suspected' }[],
) {
  let postponed: Date | null = goal
  for (const [index, { at, to }] of changes.entries()) {
    const end = changes[index + 1]
    if (end && (to === 'waiting' || to === 'done')) postponed = postponeGoal(hours, postponed, at, end.at)
  }
  return postponed
}
