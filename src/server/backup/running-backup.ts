import { fork } from 'node:child_process'
import type { Dirent } from 'node:fs'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { Config } from '../config.ts'
import type { BackupConfig, BackupTarget } from './archive.ts'
import { inWorkFolder } from './archive.ts'
import type { Progress } from './dump.ts'
import { BackupError } from './dump.ts'
import type { Manifest } from './manifest.ts'
import { copyFolder } from './manifest.ts'

export type WriterTask = BackupTarget & BackupConfig & Pick<Config, 'databaseUrl'> & { copy: string | null }
export type WriterMessage = { done: number; total: number | null } | { manifest: Manifest } | { failure: LocalizedText }

const logFolder = 'pg_wal'
/** Of this process, or of temporary files: a recovery does not use them. */
const notCopied = new Set(['postmaster.pid', 'pgsql_tmp'])
/** Left for the product while the copy is there. */
const reserveBytes = 50_000_000

/**
 * Writes a backup while the product runs, in a process of its own. The embedded database has one connection, which a dump would
 * hold, so its files are copied and the other process dumps the copy.
 */
export function writeRunningBackup(
  { dataDir, databaseUrl, backupRecipients }: BackupConfig & Pick<Config, 'databaseUrl'>,
  target: BackupTarget,
  onProgress: Progress = () => undefined,
): Promise<Manifest> {
  return inWorkFolder(dataDir, target.file, async () => {
    const copy = databaseUrl ? null : join(dataDir, copyFolder)
    try {
      if (copy) await copyEmbeddedDatabase(join(dataDir, 'database'), copy)
      return await runWriter({ ...target, dataDir, databaseUrl, backupRecipients, copy }, onProgress)
    } finally {
      if (copy) await rm(copy, { recursive: true, force: true })
    }
  })
}

/**
 * Copies the files of the open embedded database, as a crash would leave them. PGlite has no background checkpointer: all
 * changes since the control file was written are in the log. The log is copied last, so it holds every change of the copied
 * files, and the recovered copy is the database at that moment.
 */
export async function copyEmbeddedDatabase(from: string, to: string) {
  const control = join('global', 'pg_control')
  const copyOne = createCopier()
  for (;;) {
    await rm(to, { recursive: true, force: true })
    await requireSpace(from, to)
    await mkdir(join(to, 'global'), { recursive: true, mode: 0o700 })
    const copied = await readFile(join(from, control))
    await writeFile(join(to, control), copied, { mode: 0o600 })
    await copyTree(from, to, new Set([...notCopied, logFolder, 'pg_control']), copyOne)
    await copyTree(join(from, logFolder), join(to, logFolder), notCopied, copyOne)
    // A checkpoint meanwhile may have removed files of the log that the copy needs.
    if (copied.equals(await readFile(join(from, control)))) return
  }
}

async function copyTree(from: string, to: string, without: ReadonlySet<string>, copyOne: Copier) {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await list(from)) {
    if (without.has(entry.name)) continue
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, copy, without, copyOne)
    else await copyOne(source, copy).catch(ignoreMissing)
  }
}

type Copier = (source: string, copy: string) => Promise<void>

const pieceBytes = 1_024 * 1_024
/** Most bytes of the copy that the disk has not written. */
const mostUnwritten = 4 * pieceBytes

/**
 * Copies by reference where the file system can, otherwise in pieces that are on the disk before others follow: a commit of the
 * product waits until the disk has written what was copied before it.
 */
function createCopier(): Copier {
  let canClone = true
  let unwritten = 0
  const buffer = Buffer.allocUnsafe(pieceBytes)
  return async (source, copy) => {
    if (canClone) {
      const isCloned = await copyFile(source, copy, constants.COPYFILE_FICLONE_FORCE).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') throw error
          return false
        },
      )
      if (isCloned) return
      canClone = false
    }
    const from = await open(source)
    const to = await open(copy, 'w', 0o600).catch(async (error: unknown) => {
      await from.close()
      throw error
    })
    try {
      for (;;) {
        const { bytesRead } = await from.read(buffer, 0, pieceBytes)
        if (bytesRead === 0) return
        await to.writeFile(buffer.subarray(0, bytesRead))
        unwritten += bytesRead
        if (unwritten < mostUnwritten) continue
        await to.datasync()
        unwritten = 0
      }
    } finally {
      await Promise.all([from.close(), to.close()])
    }
  }
}

/** By name: the log goes on in the next file. */
async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The database removes files of a dropped table, and recovery does not need them. */
function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

/** A full disk would stop the product, too. The dump of the copy takes about as much as the copy. */
async function requireSpace(from: string, to: string) {
  const needed = 2 * (await measureFolder(from)) + reserveBytes
  const { bavail, bsize } = await statfs(join(to, '..'))
  if (bavail * bsize >= needed) return
  const [folder, left, wanted] = [join(to, '..'), megabytes(bavail * bsize), megabytes(needed)]
  throw new BackupError({
    fr: `Il reste ${left} Mo sur le disque de ${folder}, et la copie de sécurité a besoin de ${wanted} Mo.`,
    en: `The disk of ${folder} has ${left} MB left, and the backup needs ${wanted} MB.`,
  })
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

async function measureFolder(folder: string): Promise<number> {
  let sum = 0
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name)
    sum += entry.isDirectory() ? await measureFolder(path) : ((await stat(path).catch(ignoreMissing))?.size ?? 0)
  }
  return sum
}

function runWriter(task: WriterTask, onProgress: Progress) {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const file = fileURLToPath(new URL(`./archive-writer-worker.${extension}`, import.meta.url))
  // Without the optimising compiler of WebAssembly, the embedded database needs a third of the memory.
  const child = fork(file, { execArgv: task.copy ? ['--liftoff-only'] : [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return new Promise<Manifest>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`the process of the backup ended with ${signal ?? code}`)))
    child.on('message', (message: WriterMessage) => {
      if ('manifest' in message) resolve(message.manifest)
      else if ('failure' in message) reject(new BackupError(message.failure))
      else onProgress(message.done, message.total)
    })
    child.send(task)
  }).finally(() => child.kill())
}
