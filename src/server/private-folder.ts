import { chmodSync, statSync } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { logger } from './log.ts'

/** Permission bits of group and others. */
const others = 0o077
/** Windows has no such permissions. */
const hasRights = process.platform !== 'win32'
/** Files checked at once. */
const batch = 64

type Counts = { repaired: number; refused: number }

/** Sets the umask, so that new files are private. */
export function makeNewFilesPrivate() {
  // A worker thread cannot set it; it shares the umask of its process.
  if (hasRights && isMainThread) process.umask(others)
}

/** Makes a folder private: nobody else can reach its files, whatever their permissions. */
export function closeFolder(folder: string) {
  const found = hasRights && statSync(folder, { throwIfNoEntry: false })
  if (!found || (found.mode & others) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    if (!isRefused(error)) throw error
    logger.warn({ folder }, 'the data folder belongs to another user of this machine and stays open to others')
  }
}

/** Repairs the permissions of the data folder at the start, and logs how many files and folders were open to others. */
export async function repairDataFolder(folder: string) {
  try {
    const { repaired, refused } = await closeContents(folder)
    if (refused === 0) return logger.info({ repaired }, 'files of the data folder closed to others')
    logger.warn(
      { repaired, refused },
      'files of the data folder closed to others; some belong to another user and stay as they are',
    )
  } catch (error) {
    logger.error({ err: error }, 'the files of the data folder could not all be closed to others')
  }
}

/**
 * Makes each file and folder under `folder` private; an earlier version, another umask or a manual copy may have left them
 * open. Links are not followed. Returns how many were open, and how many of these belong to another user.
 */
export async function closeContents(folder: string): Promise<Counts> {
  const counts: Counts = { repaired: 0, refused: 0 }
  if (!hasRights) return counts
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch((error: unknown) => countRefusal(error, counts))
    if (!entries) continue
    for (let at = 0; at < entries.length; at += batch) {
      await Promise.all(
        entries.slice(at, at + batch).map(async (entry) => {
          const path = join(entry.parentPath, entry.name)
          if (entry.isSymbolicLink()) return
          await closeOne(path, counts)
          if (entry.isDirectory()) folders.push(path)
        }),
      )
    }
  }
  return counts
}

async function closeOne(path: string, counts: Counts) {
  try {
    const { mode } = await lstat(path)
    if ((mode & others) === 0) return
    await chmod(path, mode & 0o7700)
    counts.repaired += 1
  } catch (error) {
    countRefusal(error, counts)
  }
}

function countRefusal(error: unknown, counts: Counts): undefined {
  if (isRefused(error)) counts.refused += 1
  // The database and the cleanup may remove files at the same time.
  else if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** The file belongs to another user of this machine, or the disk is read-only. */
function isRefused(error: unknown) {
  return ['EPERM', 'EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
}
