import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '#src/server/config.ts'
import type { AudioType } from '../values.ts'
import type { ByteRange } from './byte-range.ts'
import { openS3Storage } from './s3-storage.ts'

type StoredFile = { path: string; type: AudioType; bytes: number }

/** Where the sounds are. Keys are our own names, never those of a file that came. */
export type RecordingStorage = {
  /** Keeps a copy of a file of this machine; it is all there, or not at all. */
  put: (key: string, file: StoredFile) => Promise<void>
  /** A file that is not there is an error. */
  open: (key: string, range: ByteRange | null) => Promise<Readable>
  /** A file that is not there is removed already. */
  remove: (key: string) => Promise<void>
}

export function openStorage({ recordingsS3Url, dataDir }: Pick<Config, 'recordingsS3Url' | 'dataDir'>): RecordingStorage {
  return recordingsS3Url ? openS3Storage(recordingsS3Url) : openFolderStorage(join(dataDir, 'recordings'))
}

/** Where files that come are until they are stored or refused. */
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
      await stat(path)
      return createReadStream(path, range ?? {})
    },
    remove: (key) => rm(join(root, key), { force: true }),
  }
}
