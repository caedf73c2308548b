import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { create, extract } from 'tar'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { publishedName } from '../journal/published.ts'
import { BackupError, dumpDatabase, isEmptyDatabase, loadDatabase } from './dump.ts'

/** Of `DATA_DIR`: the dump stands for the database, and a backup holds no backups. */
const leftOut = new Set(['database', 'backups', publishedName])
/** Where the dump is while an archive is made or read, and its name inside. */
const work = 'dump'

export const manifestSchema = z.object({
  made_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
  files: z.boolean(),
})
export type Manifest = z.infer<typeof manifestSchema>

export const backupFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'backups')

/** Sorts by time: `night-2026-12-01T02-30-00.tar.gz`. */
export const nameBackup = (at: Date, kind: 'night' | 'whole') =>
  `${kind}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.tar.gz`

/** Writes the database and, where asked, the files of `DATA_DIR` into one compressed archive that its owner alone reads. */
export async function writeBackup(
  db: Database,
  { dataDir }: Pick<Config, 'dataDir'>,
  { file, files }: { file: string; files: boolean },
): Promise<Manifest> {
  const folder = join(dataDir, work)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'tables'), { recursive: true, mode: 0o700 })
  mkdirSync(dirname(file), { recursive: true })
  // Under its name only once it is whole: what died half-way must not pass for a backup.
  const part = `${file}.part`
  const hashes = join(dataDir, publishedName)
  try {
    // Before the dump: a hash published meanwhile would be of a line that the dump does not hold.
    if (existsSync(hashes)) copyFileSync(hashes, join(folder, publishedName))
    const dump = await dumpDatabase(db, join(folder, 'tables'))
    const manifest = { made_at: new Date().toISOString(), ...dump, files }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2))
    const names = readdirSync(dataDir).filter((name) => !leftOut.has(name) && resolve(dataDir, name) !== dirname(resolve(file)))
    await create(
      { gzip: { level: 6 }, file: part, mode: 0o600, cwd: dataDir },
      files ? names : [work, 'session-secret'].filter((name) => names.includes(name)),
    )
    renameSync(part, file)
    return manifest
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(part, { force: true })
  }
}

/** Puts a backup into an empty database and its files into `DATA_DIR`; throws `BackupError` with what to do. */
export async function readBackup(db: Database, { dataDir }: Pick<Config, 'dataDir'>, file: string): Promise<Manifest> {
  if (!existsSync(file)) throw new BackupError(`There is no ${file}.`)
  const folder = join(dataDir, work)
  rmSync(folder, { recursive: true, force: true })
  try {
    await extract({ file, cwd: dataDir, strict: true }, [work])
    const manifest = readManifest(join(folder, 'manifest.json'))
    // A backup of an older version meets the tables of its time; the migrations since then come after.
    await migrateDatabase(db, { only: new Set(manifest.migrations) })
    if (!(await isEmptyDatabase(db))) throw new BackupError('The database is not empty: restore into a new one.')
    await loadDatabase(db, join(folder, 'tables'), manifest)
    await migrateDatabase(db)
    await extract({ file, cwd: dataDir, strict: true, filter: (path) => path.split('/')[0] !== work })
    if (existsSync(join(folder, publishedName))) copyFileSync(join(folder, publishedName), join(dataDir, publishedName))
    return manifest
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readManifest(path: string) {
  const parsed = existsSync(path) ? manifestSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))) : null
  if (!parsed?.success) throw new BackupError('This file is no backup of this product.')
  return parsed.data
}
