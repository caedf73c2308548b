import { createWriteStream, existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readLines, sendCommand, ServerStopped } from '../http/command-key.ts'
import type { Config } from '../config.ts'
import { storedSecret, ownAddress } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { FolderInUse } from '../database/folder-lock.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { backupFolder, nameBackup, readBackup, unpackFolder, writeBackup } from './archive.ts'
import { checkArchive } from './check-archive.ts'
import { isSecretOf } from '../secrets/bind-secret.ts'
import type { Manifest } from './manifest.ts'
import type { Progress } from './dump.ts'
import { BackupError, dumpDatabase, isEmptyDatabase, loadDatabase } from './dump.ts'

const otherSecret =
  'It was used with another SESSION_SECRET than this one: the product starts with that one only, or after npm run secret:change (docs/operations.md, Rotate the secret).'

export const backupCommand = 'backup'

/** A line of the response to the command: progress, then the result. */
export type BackupLine = { done: number; total: number | null } | { manifest: Manifest } | { failure: string }

/** Backs up the database and the files, directly or through the running product that holds the embedded database. */
export async function backUp(config: Config, given?: string, onProgress?: Progress): Promise<string> {
  const file = resolve(given ?? join(backupFolder(config), nameBackup(new Date(), 'whole')))
  if (!config.databaseUrl) requireEmbedded(config)
  let manifest: Manifest
  try {
    const database = await openDatabase(config)
    try {
      await migrateDatabase(database.db)
      manifest = await writeBackup(database.db, config, { file, files: true }, onProgress)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    manifest = await callRunningServer(config, file, onProgress)
  }
  return `${file}: ${summarize(manifest)}`
}

/**
 * Restores a backup into the empty database of this configuration and into `DATA_DIR`; `-` is the standard input. The archive
 * is checked completely first; a failed restore leaves only the names in `before`.
 */
export async function restore(
  config: Config,
  given: string,
  before = listNames(config.dataDir),
  onProgress?: Progress,
): Promise<string> {
  const taken = given === '-' ? join(config.dataDir, 'restore.tar.gz') : null
  const file = taken ?? resolve(given)
  const startedAt = performance.now()
  try {
    if (taken) await pipeline(process.stdin, createWriteStream(taken, { mode: 0o600 }))
    if (!existsSync(file)) throw new BackupError(`There is no ${file}.`)
    const manifest = await checkArchive(file)
    const database = await openDatabase(config)
    let isOwnSecret = true
    try {
      await readBackup(database.db, config, { file, manifest }, onProgress)
      // The secret file came with the backup.
      isOwnSecret = await isSecretOf(database.db, config.isSecretGiven ? config.secret : storedSecret(config.dataDir))
    } finally {
      await database.close()
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    const done = `Restored and verified in ${seconds} s: ${summarize(manifest)} of ${manifest.made_at}.`
    return isOwnSecret ? done : `${done}\n${otherSecret}`
  } catch (error) {
    removeNewFiles(config.dataDir, before)
    throw error
  } finally {
    if (taken) rmSync(taken, { force: true })
  }
}

/** Names of the files in a folder; null where there is no folder. */
export function listNames(folder: string): ReadonlySet<string> | null {
  return existsSync(folder) ? new Set(readdirSync(folder)) : null
}

/** Removes the files of a failed restore, but not those that were there before. */
function removeNewFiles(dataDir: string, before: ReadonlySet<string> | null) {
  for (const name of ['database', 'session-secret', 'restore.tar.gz', unpackFolder]) {
    if (!before?.has(name)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  if (!before && readdirSync(dataDir).length === 0) rmdirSync(dataDir)
}

/** Copies the embedded database of `DATA_DIR` into the empty PostgreSQL database of `DATABASE_URL`. */
export async function moveToPostgres(config: Config, onProgress?: Progress): Promise<string> {
  if (!config.databaseUrl) throw new BackupError('DATABASE_URL must name the PostgreSQL database to move to.')
  requireEmbedded(config)
  const folder = mkdtempSync(join(tmpdir(), 'guichet-move-'))
  const embedded = await openDatabase({ dataDir: config.dataDir, databaseUrl: undefined })
  try {
    await migrateDatabase(embedded.db)
    const dump = await dumpDatabase(embedded.db, folder)
    const postgres = await openDatabase(config)
    try {
      await migrateDatabase(postgres.db)
      if (!(await isEmptyDatabase(postgres.db))) throw new BackupError('The database of DATABASE_URL is not empty.')
      await loadDatabase(postgres.db, folder, dump, onProgress)
    } finally {
      await postgres.close()
    }
    return `Moved and verified: ${summarize({ tables: dump.tables })}. Start the product with DATABASE_URL from now on.`
  } finally {
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In the wrong folder, a command would create an empty database and back that up. */
function requireEmbedded({ dataDir }: Config) {
  if (existsSync(join(dataDir, 'database'))) return
  throw new BackupError(`There is no database in ${dataDir}: give the command the DATA_DIR of the server.`)
}

async function callRunningServer(config: Config, file: string, onProgress?: Progress): Promise<Manifest> {
  const address = ownAddress(config)
  const response = await sendCommand(config, backupCommand, { method: 'POST', path: '/api/backup', body: { file } }).catch(() => {
    throw new BackupError(`The server is running, but not at ${address}. Run the command with the same HOST and PORT.`)
  })
  if (!response.ok || !response.body) {
    const answer = (await response.json().catch(() => ({}))) as { detail?: string }
    throw new BackupError(`The server at ${address} responded with ${response.status}: ${answer.detail ?? ''}`)
  }
  try {
    for await (const line of readLines<BackupLine>(response.body)) {
      if ('manifest' in line) return line.manifest
      if ('failure' in line) throw new BackupError(line.failure)
      onProgress?.(line.done, line.total)
    }
  } catch (error) {
    if (!(error instanceof ServerStopped)) throw error
  }
  throw new BackupError(
    `The server at ${address} stopped before the backup was written: there is no new archive. Start the server, then repeat the command.`,
  )
}

function summarize({ tables }: Pick<Manifest, 'tables'>) {
  const rows = tables.reduce((total, table) => total + table.rows, 0)
  return `${tables.length} tables, ${rows} rows`
}
