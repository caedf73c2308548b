// Separate process, of the user who owns the data: copies it and puts it back during an update.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { backupFolder, readBackup, writeBackup } from '../backup/archive.ts'
import { checkArchive } from '../backup/check-archive.ts'
import { copyEmbeddedDatabase } from '../backup/running-backup.ts'
import type { Config } from '../config.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/database.ts'
import { lockFolderOnceFree } from '../database/folder-lock.ts'
import { explainFailure } from '../failures.ts'
import { logger, summarizeError } from '../log.ts'
import { exchangeFolders, repairExchange } from './exchange.ts'
import { syncFolder } from './journal.ts'
import { findPlaces, nameTrialDatabase } from './places.ts'
import { hasServed } from './quiet.ts'
import type { DataResult, DataTask } from './data.ts'

process.once('message', (task: DataTask) => void work(task))
process.once('disconnect', () => process.exit(1))

const archiveName = 'database.tar.gz'
/** A file in a copy of the embedded database, which ignores it: it distinguishes the copy from what the copy replaces. */
const mark = 'copied-by-update'
const stoppingMs = 15_000

async function work(task: DataTask) {
  let result: DataResult
  try {
    result = { isDone: await tasks[task.kind](readConfig(process.env)) }
  } catch (error) {
    logger.error({ err: error }, 'the data could not be copied')
    const message = summarizeError(error)
    result = { failure: explainFailure(error) ?? { fr: message, en: message } }
  }
  process.send?.(result, () => process.disconnect())
}

const tasks: Record<DataTask['kind'], (config: Config) => Promise<boolean | string>> = {
  /** Of the product while it runs, for a trial; false where the role may not create a database to load it into. */
  async rehearse(config) {
    const { database, rehearsal } = findPlaces('', config)
    discard(rehearsal)
    mkdirSync(rehearsal, { mode: 0o700 })
    if (!config.databaseUrl) {
      await copyEmbeddedDatabase(database, join(rehearsal, 'database'))
      return true
    }
    const address = await createTrialDatabase(config.databaseUrl)
    if (!address) return false
    const file = join(rehearsal, archiveName)
    await dump(config, file)
    await load(
      { ...config, dataDir: rehearsal, databaseUrl: address, filesDir: undefined, companyDir: join(rehearsal, 'company') },
      file,
    )
    rmSync(file)
    return true
  },
  async 'end-rehearsal'(config) {
    discard(findPlaces('', config).rehearsal)
    if (config.databaseUrl) await dropTrialDatabase(config.databaseUrl)
    return true
  },
  /** Of the stopped product. */
  async copy(config) {
    const { copy, database } = findPlaces('', config)
    discard(copy)
    mkdirSync(copy, { mode: 0o700 })
    if (config.databaseUrl) {
      await dump(config, join(copy, archiveName))
      return true
    }
    const release = await lockFolderOnceFree(database, stoppingMs)
    try {
      const target = join(copy, 'database')
      await copyEmbeddedDatabase(database, target)
      writeFileSync(join(target, mark), '')
      syncFiles(copy)
    } finally {
      release()
    }
    return true
  },
  async restore(config) {
    const { copy, database } = findPlaces('', config)
    const isOutdated = hasServed(copy)
    if (config.databaseUrl) {
      const file = join(copy, archiveName)
      const replaced = join(backupFolder(config), nameOfReplaced('.tar.gz'))
      if (isOutdated) await dump(config, replaced)
      await emptyDatabase(config)
      await load(config, file)
      return isOutdated && replaced
    }
    const replaced = isOutdated && join(backupFolder(config), nameOfReplaced(''))
    const release = await lockFolderOnceFree(database, stoppingMs)
    try {
      const stored = join(copy, 'database')
      repairExchange(database, stored)
      if (!existsSync(join(database, mark))) exchangeFolders(database, stored)
      if (replaced && existsSync(stored)) {
        mkdirSync(backupFolder(config), { recursive: true })
        renameSync(stored, replaced)
      }
      for (const folder of [config.dataDir, copy]) syncFolder(folder)
    } finally {
      release()
    }
    return replaced
  },
  /** Removes what the update copied. */
  async discard(config) {
    const { copy, database, rehearsal } = findPlaces('', config)
    discard(copy)
    discard(rehearsal)
    rmSync(join(database, mark), { force: true })
    return true
  },
}

const nameOfReplaced = (end: string) => `replaced-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}${end}`

const discard = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** The copy must be whole before the data is changed, also where the power fails. */
function syncFiles(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      syncFiles(path)
      continue
    }
    const file = openSync(path, 'r')
    fsyncSync(file)
    closeSync(file)
  }
  syncFolder(folder)
}

async function withDatabase<Result>(config: Pick<Config, 'dataDir' | 'databaseUrl'>, use: (db: Database) => Promise<Result>) {
  const database = await openDatabase(config)
  try {
    return await use(database.db)
  } finally {
    await database.close()
  }
}

/** Never encrypted, because this machine must be able to read it: it is removed at the end of the update. */
const dump = (config: Config, file: string) =>
  withDatabase(config, (db) => writeBackup(db, { dataDir: config.dataDir, backupRecipients: [] }, { file, files: false }))

async function load(config: Config, file: string) {
  const manifest = await checkArchive(file)
  await withDatabase(config, (db) => readBackup(db, config, { file, manifest }))
}

const notAllowed = '42501'

/** Null where the role may not create databases. */
async function createTrialDatabase(databaseUrl: string) {
  const { name, address } = nameTrialDatabase(databaseUrl)
  await dropTrialDatabase(databaseUrl)
  return withDatabase({ dataDir: '', databaseUrl }, async (db) => {
    try {
      await db.execute(sql`create database ${sql.identifier(name)} encoding 'UTF8' template template0`)
      return address
    } catch (error) {
      if ((error as { cause?: { code?: string } }).cause?.code === notAllowed) return null
      throw error
    }
  })
}

async function dropTrialDatabase(databaseUrl: string) {
  const { name } = nameTrialDatabase(databaseUrl)
  await withDatabase({ dataDir: '', databaseUrl }, (db) =>
    db.execute(sql`drop database if exists ${sql.identifier(name)} with (force)`),
  )
}

const isOwn = `not exists (select from pg_depend where objid = o.oid and deptype = 'e')`
const ownObjects = [
  `select format('drop table %s cascade', o.oid::regclass) as statement from pg_class o
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and ${isOwn}`,
  `select format('drop sequence %s cascade', o.oid::regclass) as statement from pg_class o
    where relnamespace = 'public'::regnamespace and relkind = 'S' and ${isOwn}`,
  `select format('drop routine %s cascade', o.oid::regprocedure) as statement from pg_proc o
    where pronamespace = 'public'::regnamespace and ${isOwn}`,
  `select format('drop type %s cascade', o.oid::regtype) as statement from pg_type o
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') and ${isOwn}`,
]

/** All that migrations and the queue created; extensions stay, which the role may not be allowed to create again. */
const emptyDatabase = (config: Config) =>
  withDatabase(config, (db) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`drop schema if exists queue cascade`)
      for (const find of ownObjects) {
        const { rows } = (await tx.execute(sql.raw(find))) as { rows: { statement: string }[] }
        for (const { statement } of rows) await tx.execute(sql.raw(statement))
      }
    }),
  )
