import { eq, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict } from '#src/server/problems.ts'
import type { RecordingSettings } from '../contract.ts'
import { recordingSettingsTable } from './table.ts'

const theRow = 1
const daysPerMonth = 365 / 12

const defaults: RecordingSettings = {
  version: 0,
  retention_days: Math.round(company.retention.recordingMonths * daysPerMonth),
  play: 'read_only',
  download: 'read_write',
  delete: 'administrator',
}

export async function findRecordingSettings(db: Database): Promise<RecordingSettings> {
  const [row] = await db.select().from(recordingSettingsTable).where(eq(recordingSettingsTable.id, theRow))
  if (!row) return defaults
  const { version, retentionDays, play, download } = row
  return { version, retention_days: retentionDays, play, download, delete: row.delete }
}

/** Saves all settings; throws `Conflict` with the stored settings when `version` is outdated. */
export async function saveRecordingSettings(db: Database, author: Author, input: RecordingSettings) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('recording_settings'))`)
    const before = await findRecordingSettings(tx)
    if (before.version !== input.version) {
      throw new Conflict('Someone else saved the settings in the meantime.', { current: before })
    }
    const { retention_days: retentionDays, ...levels } = input
    const row = { ...levels, retentionDays, version: input.version + 1 }
    await tx
      .insert(recordingSettingsTable)
      .values({ id: theRow, ...row })
      .onConflictDoUpdate({ target: recordingSettingsTable.id, set: row })
    const after = { ...input, version: row.version }
    await recordChange(tx, author, { area: 'recordings', action: 'update', entryId: 'settings', before, after })
    return after
  })
}

/** The level required to play, download or delete is read from the settings at each request. */
export function accessFor(work: 'play' | 'download' | 'delete') {
  return { area: 'recordings' as const, findLevel: async (db: Database) => (await findRecordingSettings(db))[work] }
}
