import { fork } from 'node:child_process'
import type { Dirent } from 'node:fs'
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import type { BackupTarget } from './archive.ts'
import { inWorkFolder } from './archive.ts'
import type { Progress } from './dump.ts'
import { BackupError } from './dump.ts'
import type { Manifest } from './manifest.ts'
import { copyFolder } from './manifest.ts'

export type WriterTask = BackupTarget & Pick<Config, 'dataDir' | 'databaseUrl'> & { copy: string | null }
export type WriterMessage = { done: number; total: number | null } | { manifest: Manifest } | { failure: string }

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
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  target: BackupTarget,
  onProgress: Progress = () => undefined,
): Promise<Manifest> {
  return inWorkFolder(dataDir, target.file, async () => {
    const copy = databaseUrl ? null : join(dataDir, copyFolder)
    try {
      if (copy) await copyEmbeddedDatabase(join(dataDir, 'database'), copy)
      return await runWriter({ ...target, dataDir, databaseUrl, copy }, onProgress)
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
async function copyEmbeddedDatabase(from: string, to: string) {
  const control = join('global', 'pg_control')
  for (;;) {
    await rm(to, { recursive: true, force: true })
    await requireSpace(from, to)
    await mkdir(join(to, 'global'), { recursive: true, mode: 0o700 })
    const copied = await readFile(join(from, control))
    await writeFile(join(to, control), copied, { mode: 0o600 })
    await copyTree(from, to, new Set([...notCopied, logFolder, 'pg_control']))
    await copyTree(join(from, logFolder), join(to, logFolder), notCopied)
    // A checkpoint meanwhile may have removed files of the log that the copy needs.
    if (copied.equals(await readFile(join(from, control)))) return
  }
}

async function copyTree(from: string, to: string, without: ReadonlySet<string>) {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await list(from)) {
    if (without.has(entry.name)) continue
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, copy, without)
    else await copyFile(source, copy, constants.COPYFILE_FICLONE).catch(ignoreMissing)
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
  throw new BackupError(
    `The disk of ${join(to, '..')} has ${megabytes(bavail * bsize)} MB left, and the backup needs ${megabytes(needed)} MB.`,
  )
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
