import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export type FileFacts = { size: number; sha256: string }

/** Tells the size and the SHA-256 of a folder's files; a file is read again only when it has changed. */
export function createFileFacts(folder: string) {
  const known = new Map<string, { stamp: string; facts: Promise<FileFacts> }>()

  /** Null where there is no such file. */
  return async (file: string): Promise<FileFacts | null> => {
    const path = join(folder, file)
    const found = await stat(path).catch(() => null)
    if (!found?.isFile()) return null
    const stamp = `${found.mtimeMs} ${found.size}`
    const before = known.get(file)
    if (before?.stamp === stamp) return before.facts
    const facts = hashFile(path).then((sha256) => ({ size: found.size, sha256 }))
    known.set(file, { stamp, facts })
    facts.catch(() => known.delete(file))
    return facts
  }
}

async function hashFile(path: string) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
