import { createReadStream, openAsBlob } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { inArray, lte } from 'drizzle-orm'
import type { Config } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { AudioType } from '../values.ts'
import { mimeTypes } from '../values.ts'
import { strayFiles } from './table.ts'

export type ByteRange = { start: number; end: number }
type StoredFile = { path: string; type: AudioType; bytes: number }

/** Storage of the audio files. Keys are generated, never taken from an uploaded file. */
export type RecordingStorage = {
  /** Stores a copy of a local file, completely or not at all. */
  put: (key: string, file: StoredFile) => Promise<void>
  /** Throws where the file does not exist. */
  open: (key: string, range: ByteRange | null) => Promise<Readable>
  /** A missing file counts as removed. */
  remove: (key: string) => Promise<void>
}

/** The row is there, its file is not. */
export class MissingFile extends Error {}

export function openStorage({ recordingsS3Url, dataDir }: Pick<Config, 'recordingsS3Url' | 'dataDir'>): RecordingStorage {
  return recordingsS3Url ? openS3Storage(recordingsS3Url) : openFolderStorage(join(dataDir, 'recordings'))
}

/** Folder of incoming files until they are stored or rejected. */
export const incomingFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'recordings', 'incoming')

function openFolderStorage(root: string): RecordingStorage {
  return {
    async put(key, { path }) {
      const target = join(root, key)
      const part = `${target}.part`
      await mkdir(dirname(target), { recursive: true })
      try {
        await copyFile(path, part)
        const copy = await open(part, 'r+')
        await copy.sync().finally(() => copy.close())
        await rename(part, target)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async open(key, range) {
      const path = join(root, key)
      await stat(path).catch((cause: NodeJS.ErrnoException) => {
        throw cause.code === 'ENOENT' ? new MissingFile(`there is no file ${key}`, { cause }) : cause
      })
      return createReadStream(path, range ?? {})
    },
    remove: (key) => rm(join(root, key), { force: true }),
  }
}

/** `https://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION`: any store that speaks S3, by path. */
function openS3Storage(address: string): RecordingStorage {
  const { username, password, origin, pathname, searchParams } = new URL(address)
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    region: searchParams.get('region') ?? 'us-east-1',
    retries: 3,
  })
  const urlOf = (key: string) => `${origin}${pathname.replace(/\/$/, '')}/${key}`

  return {
    async put(key, { path, type }) {
      // A file-backed blob streams, has a known length, and can be re-sent on retry.
      const body = await openAsBlob(path, { type: mimeTypes[type] })
      const headers = { 'content-type': mimeTypes[type], 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
      await drop(await client.fetch(urlOf(key), { method: 'PUT', body, headers }), 'keep')
    },
    async open(key, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : undefined
      const response = await client.fetch(urlOf(key), { headers })
      const isWhole = range === null || response.status === 206
      if (!response.ok || !response.body || !isWhole) {
        await response.body?.cancel()
        const message = `the store answered ${response.status} to a read`
        throw response.status === 404 ? new MissingFile(message) : new Error(message)
      }
      return Readable.fromWeb(response.body as ReadableStream)
    },
    async remove(key) {
      const response = await client.fetch(urlOf(key), { method: 'DELETE' })
      if (response.status !== 404) await drop(response, 'remove')
    },
  }
}

async function drop(response: Response, work: string) {
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the store answered ${response.status} to ${work} a recording`)
}

type Context = { db: Database; storage: RecordingStorage }

/** Long enough for the largest file to be written and its row stored. */
const writingMs = 24 * 3_600_000
const batch = 200

/** Registers a file before it is written, for the sweep; its row unregisters it. */
export async function registerPendingFile(db: Database, storageKey: string) {
  await db.insert(strayFiles).values({ storageKey, removeAfter: new Date(Date.now() + writingMs) })
}

/** Registers files for deletion, inside the transaction that deletes their rows. */
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

/** Deletes registered files that are due. One that cannot be deleted stays registered. */
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
