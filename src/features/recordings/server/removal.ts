import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import { auditFactsOf } from './service.ts'
import { markFilesForRemoval } from './orphan-files.ts'
import { recordings } from './table.ts'

const area = 'recordings'
const batch = 200

/** Removes a recording; its file goes with the next sweep. */
export async function removeRecording(db: Database, author: Author, id: number) {
  await db.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    if (row.onHold) throw new Conflict('This recording is under a legal hold.')
    await tx.delete(recordings).where(eq(recordings.id, id))
    await markFilesForRemoval(tx, [row.storageKey])
    await recordChange(tx, author, { area, action: 'delete', entryId: id, before: auditFactsOf(row) })
  })
}

/** Puts a recording under a legal hold, or lets it go. */
export async function holdRecording(db: Database, author: Author, id: number, onHold: boolean) {
  await db.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    if (row.onHold === onHold) return
    await tx.update(recordings).set({ onHold }).where(eq(recordings.id, id))
    const action = onHold ? 'hold' : 'release'
    await recordChange(tx, author, {
      area,
      action,
      entryId: id,
      before: auditFactsOf(row),
      after: auditFactsOf({ ...row, onHold }),
    })
  })
}

/** Removes what began before this moment, but for what is on hold, a part at a time; answers how much it was. */
export async function removeOldRecordings(db: Database, before: Date) {
  const isOld = and(eq(recordings.onHold, false), lt(recordings.startedAt, before))
  for (let removed = 0; ;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx.select({ id: recordings.id }).from(recordings).where(isOld).limit(batch).for('update')
      return removeAll(
        tx,
        old.map(({ id }) => id),
      )
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
  await markFilesForRemoval(
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
