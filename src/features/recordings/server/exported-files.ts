import { stat } from 'node:fs/promises'
import { inArray } from 'drizzle-orm'
import type { FileStore } from '#src/features/content/server/feature.ts'
import type { AudioType } from '../values.ts'
import { audioTypes } from '../values.ts'
import { markFilesForRemoval, MissingFile, openStorage, registerPendingFile } from './storage.ts'
import { recordings, strayFiles } from './table.ts'

const keyPattern = new RegExp(String.raw`^\d{4}/\d\d/[\w-]{1,100}\.(?:${audioTypes.join('|')})$`)

/** Recordings of an export that is imported, under the keys that they had. */
export const recordingFiles: FileStore = {
  folder: 'recordings',
  table: 'recordings',
  column: 'storage_key',
  isKey: (key) => keyPattern.test(key),
  async store({ config, db }, key, path) {
    const storage = openStorage(config)
    // The store may be that of the product which was exported: what is there stays, whatever becomes of the import.
    const found = await storage.open(key, null).catch((error: unknown) => {
      if (error instanceof MissingFile) return null
      throw error
    })
    found?.destroy()
    if (found) return false
    await registerPendingFile(db, key)
    const type = key.slice(key.lastIndexOf('.') + 1) as AudioType
    await storage.put(key, { path, type, bytes: (await stat(path)).size })
    return true
  },
  async settle(tx) {
    await tx.delete(strayFiles).where(inArray(strayFiles.storageKey, tx.select({ key: recordings.storageKey }).from(recordings)))
  },
  discard: ({ db }, keys) => markFilesForRemoval(db, keys),
}
