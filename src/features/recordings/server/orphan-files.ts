import { inArray, lte } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { RecordingStorage } from './storage.ts'
import { strayFiles } from './table.ts'

type Context = { db: Database; storage: RecordingStorage }

/** Long enough for the largest file to be written and its row stored. */
const writingMs = 24 * 3_600_000
const batch = 200

/** Says that a file is about to be written; its row takes this back. */
export async function registerPendingFile(db: Database, storageKey: string) {
  await db.insert(strayFiles).values({ storageKey, removeAfter: new Date(Date.now() + writingMs) })
}

/** Says, inside the transaction that removes their rows, that files are to go. */
export async function markFilesForRemoval(tx: Database, storageKeys: readonly string[]) {
  const removeAfter = new Date()
  for (let at = 0; at < storageKeys.length; at += batch) {
    const keys = storageKeys.slice(at, at + batch)
    await tx
      .insert(strayFiles)
      .values(keys.map((storageKey) => ({ storageKey, removeAfter })))
      .onConflictDoUpdate({ target: strayFiles.storageKey, set: { removeAfter } })
  }
}

/** Removes the files whose time has come. One that cannot go now stays on the list for the next time. */
export async function removeOrphanFiles({ db, storage }: Context) {
  let removed = 0
  for (;;) {
    const due = await db.select().from(strayFiles).where(lte(strayFiles.removeAfter, new Date())).limit(batch)
    const gone: string[] = []
    for (const { storageKey } of due) {
      try {
        await storage.remove(storageKey)
        gone.push(storageKey)
      } catch (error) {
        logger.error({ err: error, storageKey }, 'a recording’s file could not be removed')
      }
    }
    if (gone.length > 0) await db.delete(strayFiles).where(inArray(strayFiles.storageKey, gone))
    removed += gone.length
    if (due.length < batch || gone.length === 0) return removed
  }
}
