import type { Stats } from 'node:fs'
import {
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Pack, Unpack } from 'tar'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { FolderInUse, lockFolder } from '../database/folder-lock.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { companyLink, linkCompanyFolder } from '../company-folder.ts'
import { logger } from '../log.ts'
import { publishedName } from '../audit-log/published.ts'
import { copyErasures } from '../erasures/erasures-file.ts'
import { isDiskFull } from '../problems.ts'
import { shareFiles } from '../shared-files.ts'
import { readArchiveFile } from './check-archive.ts'
import type { Identity } from './encryption.ts'
import { encryptTo } from './encryption.ts'
import type { Manifest } from './manifest.ts'
import { leftOut, workFolder } from './manifest.ts'
import type { Progress } from './dump.ts'
import { BackupError, dumpDatabase, isEmptyDatabase, loadDatabase } from './dump.ts'

/** Folder in which an archive is unpacked during a restore. */
export const unpackFolder = 'restoring'
/** What a backup holds also without the files: it would not start, or not look, as before. */
const always: ReadonlySet<string> = new Set(['session-secret', companyLink])
/** Ending of an archive that is being written. */
const unfinished = '.part'

export const backupFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'backups')

/** Sorts by time: `night-2026-12-01T02-30-00.tar.gz`, or `….tar.gz.age` where it is encrypted. */
export const nameBackup = (at: Date, kind: 'night' | 'whole', { backupRecipients }: Pick<Config, 'backupRecipients'>) =>
  `${kind}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.tar.gz${backupRecipients.length > 0 ? '.age' : ''}`

export const isBackupName = (name: string) => /\.tar\.gz(\.age)?$/.test(name)
export const isUnfinishedName = (name: string) => name.endsWith(unfinished) && isBackupName(name.slice(0, -unfinished.length))

export type BackupTarget = { file: string; files: boolean }
export type BackupConfig = Pick<Config, 'dataDir' | 'backupRecipients'>

/** Writes the database and, if requested, the files of `DATA_DIR` into one compressed archive that only its owner can read. */
export function writeBackup(
  db: Database,
  { dataDir, backupRecipients }: BackupConfig,
  target: BackupTarget,
  onProgress?: Progress,
): Promise<Manifest> {
  const task = { ...target, dataDir, backupRecipients }
  return inWorkFolder(dataDir, target.file, () => packBackup(db, task, onProgress && { onProgress }))
}

/** Prepares the folder of the dump, one backup at a time, and removes it. */
export async function inWorkFolder<Result>(dataDir: string, file: string, work: () => Promise<Result>): Promise<Result> {
  const folder = join(dataDir, workFolder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(folder).catch((error: unknown) => {
    throw error instanceof FolderInUse
      ? new BackupError({
          fr: 'Une autre copie de sécurité est en cours : attendez qu’elle soit terminée.',
          en: 'Another backup is being written: wait until it is done.',
        })
      : error
  })
  try {
    // What an interrupted backup left.
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
    mkdirSync(join(folder, 'tables'), { mode: 0o700 })
    const hashes = join(dataDir, publishedName)
    // Copied before the dump: a hash published in between would belong to an entry that is not in the dump.
    if (existsSync(hashes)) copyFileSync(hashes, join(folder, publishedName))
    return await work()
  } catch (error) {
    throw nameFullDisk(error, [dataDir, file])
  } finally {
    rmSync(folder, { recursive: true, force: true })
    unlock()
  }
}

function nameFullDisk(error: unknown, places: string[]) {
  if (!isDiskFull(error)) return error
  return new BackupError(
    {
      fr: `Le disque est plein (${places.join(' ou ')}) : il ne reste rien de cette copie de sécurité. Libérez de l’espace, ou donnez à la commande un fichier sur un autre disque.`,
      en: `The disk is full (${places.join(' or ')}): nothing of this backup is left. Free some space, or give the command a file on another disk.`,
    },
    'refused',
    { cause: error },
  )
}

type PackOptions = { onProgress?: Progress; onDumped?: () => Promise<void> }

/** Dumps the database into the prepared folder and writes the archive. */
export async function packBackup(
  db: Database,
  { dataDir, backupRecipients, file, files }: BackupTarget & BackupConfig,
  { onProgress, onDumped }: PackOptions = {},
): Promise<Manifest> {
  const folder = join(dataDir, workFolder)
  // Renamed when complete: an interrupted backup must not look like one.
  const part = `${file}${unfinished}`
  mkdirSync(dirname(file), { recursive: true })
  removeUnfinished(backupFolder({ dataDir }))
  const archive = openArchive(part, { dataDir, backupRecipients })
  try {
    const dump = await dumpDatabase(db, join(folder, 'tables'), onProgress, archive.add)
    await onDumped?.()
    const manifest = { made_at: new Date().toISOString(), ...dump, files }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2))
    const names = readdirSync(dataDir).filter((name) => !leftOut.has(name) && resolve(dataDir, name) !== dirname(resolve(file)))
    for (const name of readdirSync(folder)) if (name !== 'tables') archive.add(join(folder, name))
    for (const name of names) if (name !== workFolder && (files || always.has(name))) archive.add(join(dataDir, name))
    await archive.end()
    copyErasures(dataDir, dirname(file))
    renameSync(part, file)
    return manifest
  } catch (error) {
    await archive.stop()
    throw nameFullDisk(error, [dataDir, file])
  } finally {
    rmSync(part, { force: true })
  }
}

/**
 * An archive that is written while the dump goes on: files are compressed in a thread of their own as they are added, and
 * those of the dump removed, so that the disk does not have to hold them all.
 */
function openArchive(file: string, { dataDir, backupRecipients }: BackupConfig) {
  const isDumped = (path: string) => path.startsWith(`${workFolder}/tables/`)
  const pack = new Pack({
    cwd: dataDir,
    jobs: 1,
    maxReadSize: readBytes,
    // Follow links, because a restore rejects links.
    follow: true,
    linkCache: new NoLinks(),
    statCache: new DanglingLinks(dataDir),
    filter: (_path, found) => !('isSymbolicLink' in found && found.isSymbolicLink()),
    onWriteEntry: (entry) => {
      if (isDumped(entry.path)) entry.once('end', () => rmSync(join(dataDir, entry.path), { force: true }))
    },
  })
  // What fails after the archive was given up is of no interest.
  pack.on('error', () => undefined)
  const readPack = async function* () {
    for await (const part of pack) yield part
  }
  const gzip = createGzip({ level: 6, chunkSize: readBytes })
  let failure: unknown
  const written = pipeline(readPack, gzip, encryptTo(backupRecipients), createWriteStream(file, { mode: 0o600 })).catch(
    (error: unknown) => {
      failure = error
    },
  )
  const throwFailure = () => {
    if (failure !== undefined) throw failure
  }
  return {
    add: (path: string) => {
      throwFailure()
      pack.add(relative(dataDir, path))
    },
    end: async () => {
      pack.end()
      await written
      throwFailure()
    },
    stop: async () => {
      // The pipeline ends only when its source does.
      pack.destroy()
      gzip.destroy()
      await written
    },
  }
}

const readBytes = 256 * 1_024

/** Of a backup whose process was killed. Another folder may be that of two products, whose backups run at the same time. */
function removeUnfinished(folder: string) {
  if (!existsSync(folder)) return
  const names = readdirSync(folder).filter(isUnfinishedName)
  for (const name of names) rmSync(join(folder, name))
}

class NoLinks extends Map<`${number}:${number}`, string> {
  override set() {
    return this
  }
}

/** Gives links that lead nowhere as links, which are left out; everything else is read where it is. */
class DanglingLinks extends Map<string, Stats> {
  readonly #dataDir: string

  constructor(dataDir: string) {
    super()
    this.#dataDir = dataDir
  }

  override get(path: string) {
    const known = super.get(path)
    if (known) return known
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isSymbolicLink() || !leadsNowhere(path)) return undefined
    logger.warn({ link: relative(this.#dataDir, path) }, 'a link leads nowhere; the backup leaves it out')
    return found
  }
}

function leadsNowhere(link: string) {
  try {
    return statSync(link, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    // A link to itself.
    return error instanceof Error && 'code' in error && error.code === 'ELOOP'
  }
}

/**
 * Restores a backup that `checkArchive` accepted into an empty database, then its files into `DATA_DIR`. The archive is
 * unpacked beside them first, so a failure before the database is complete leaves nothing. Throws `BackupError` with what to
 * do. Returns whether the company's own files were left out, because COMPANY_DIR keeps them.
 */
export async function readBackup(
  db: Database,
  config: Pick<Config, 'dataDir' | 'companyDir' | 'filesDir'>,
  { file, manifest, identity = null }: { file: string; manifest: Manifest; identity?: Identity | null },
  onProgress?: Progress,
) {
  const { dataDir } = config
  const unpacked = join(dataDir, unpackFolder)
  const dump = join(unpacked, workFolder)
  rmSync(unpacked, { recursive: true, force: true })
  try {
    mkdirSync(unpacked, { recursive: true, mode: 0o700 })
    await unpackArchive(file, identity, unpacked)
    // Migrate to the version of the backup first; the later migrations run after loading it.
    await migrateDatabase(db, { only: new Set(manifest.migrations) })
    if (!(await isEmptyDatabase(db)))
      throw new BackupError({
        fr: 'La base de données n’est pas vide : restaurez dans une nouvelle.',
        en: 'The database is not empty: restore into a new one.',
      })
    // As a start does it, and before anything is loaded: what would stop a start stops the restore.
    linkCompanyFolder(config)
    shareFiles(config)
    await loadDatabase(db, join(dump, 'tables'), manifest, onProgress)
    await migrateDatabase(db)
    if (existsSync(join(dump, publishedName))) renameSync(join(dump, publishedName), join(dataDir, publishedName))
    rmSync(dump, { recursive: true, force: true })
    const isCompanyElsewhere = isLink(join(dataDir, companyLink)) && existsSync(join(unpacked, companyLink))
    if (isCompanyElsewhere) rmSync(join(unpacked, companyLink), { recursive: true })
    for (const name of readdirSync(unpacked)) moveInto(join(unpacked, name), join(dataDir, name))
    return { isCompanyElsewhere }
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

async function unpackArchive(file: string, identity: Identity | null, folder: string) {
  const unpack = new Unpack({ cwd: folder, strict: true })
  const written = new Promise<void>((resolve, reject) => {
    unpack.on('close', resolve)
    unpack.on('error', reject)
  })
  const read = pipeline(readArchiveFile(file, identity), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) if (!unpack.write(chunk)) await once(unpack, 'drain')
    unpack.end()
  })
  await Promise.all([read, written])
}

/** Merges into an existing folder. */
function moveInto(from: string, to: string) {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder(from) || !isFolder(to)) return moveTo(from, to)
  for (const name of readdirSync(from)) moveInto(join(from, name), join(to, name))
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

function moveTo(from: string, to: string) {
  // A link that leads nowhere gives way.
  if (isLink(to) && !existsSync(to)) rmSync(to)
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    cpSync(from, to, { recursive: true, preserveTimestamps: true })
    rmSync(from, { recursive: true })
  }
}
