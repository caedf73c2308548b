import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Author } from '#src/server/journal.ts'
import { recordChange } from '#src/server/journal.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import { told } from './service.ts'
import { findRecordingSettings } from './settings.ts'
import { dropFiles } from './stray-files.ts'
import { recordings } from './table.ts'

const area = 'recordings'
const dayMs = 86_400_000
const batch = 200
const retention: Author = { userId: null, name: 'retention', address: '' }

/** Removes a recording; its file goes with the next sweep. */
export async function removeRecording(db: Database, author: Author, id: number) {
  await db.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    if (row.onHold) throw new Conflict('This recording is under a legal hold.')
    await tx.delete(recordings).where(eq(recordings.id, id))
    await dropFiles(tx, [row.storageKey])
    await recordChange(tx, author, { area, action: 'delete', entryId: id, before: told(row) })
  })
}

/** Puts a recording under a legal hold, or lets it go. */
export async function holdRecording(db: Database, author: Author, id: number, onHold: boolean) {
  await db.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    if (row.onHold === onHold) return
    await tx.update(recordings).set({ onHold }).where(eq(recordings.id, id))
    const action = onHold ? 'hold' : 'release'
    await recordChange(tx, author, { area, action, entryId: id, before: told(row), after: told({ ...row, onHold }) })
  })
}

/** Removes what is older than the settings say, but for what is on hold; a part at a time, each with its line. */
export async function removeOldRecordings(db: Database, now = new Date()) {
  const { retention_days: days } = await findRecordingSettings(db)
  const isOld = and(eq(recordings.onHold, false), lt(recordings.startedAt, new Date(now.getTime() - days * dayMs)))
  for (let removed = 0; ;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx.select({ id: recordings.id }).from(recordings).where(isOld).limit(batch).for('update')
      const gone = await removeAll(
        tx,
        old.map(({ id }) => id),
      )
      if (gone > 0) await recordChange(tx, retention, { area, action: 'apply retention', after: { days, removed: gone } })
      return gone
    })
    removed += count
    if (count < batch) return removed
  }
}

/** Removes these rows, and their files with the next sweep; answers how many there were. */
export async function removeAll(tx: Database, ids: readonly number[]) {
  if (ids.length === 0) return 0
  const gone = await tx
    .delete(recordings)
    .where(inArray(recordings.id, [...ids]))
    .returning({ storageKey: recordings.storageKey })
  await dropFiles(
    tx,
    gone.map(({ storageKey }) => storageKey),
  )
  return gone.length
}

async function lockRow(tx: Database, id: number) {
  const [row] = await tx.select().from(recordings).where(eq(recordings.id, id)).for('update')
  if (!row) throw new NotFound('This recording does not exist.')
  return row
}
