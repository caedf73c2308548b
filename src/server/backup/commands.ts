import { createWriteStream, existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { readLines, sendCommand, ServerStopped } from '../http/command-key.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { CommandContext, CommandResult, RunCommand } from '../command-line/command.ts'
import type { Config } from '../config.ts'
import { storedSecret, ownAddress } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { FolderInUse } from '../database/folder-lock.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { backupFolder, nameBackup, readBackup, unpackFolder, writeBackup } from './archive.ts'
import { checkArchive } from './check-archive.ts'
import { applyErasures } from '../erasures/erasures.ts'
import { addToErasures, erasuresName, readErasures } from '../erasures/erasures-file.ts'
import type { PersonalDataKind } from '../personal-data.ts'
import { isSecretOf } from '../secrets/bind-secret.ts'
import { bindKeys } from '../secrets/keys.ts'
import type { Manifest } from './manifest.ts'
import type { Progress } from './dump.ts'
import { readIdentity, requireRecipients, requireSameRecipients } from './encryption.ts'
import { BackupError, dumpDatabase, isEmptyDatabase, loadDatabase } from './dump.ts'

const otherSecret = {
  fr: 'Elle a été utilisée avec un autre SESSION_SECRET que celui-ci : le produit ne démarre qu’avec celui-là, ou après npm run secret:change (docs/operations.md, Rotate the secret).',
  en: 'It was used with another SESSION_SECRET than this one: the product starts with that one only, or after npm run secret:change (docs/operations.md, Rotate the secret).',
}

export const backupCommand = 'backup'

/** A line of the response to the command: progress, then the result. */
export type BackupLine =
  | { done: number; total: number | null }
  | { manifest: Manifest; file: string }
  | { failure: LocalizedText }

function pathOf({ arguments: [file], resolvePath }: CommandContext) {
  return file === undefined || file === '-' ? file : resolvePath(file)
}

export const runBackup: RunCommand = (context) => backUp(context.readConfig(), pathOf(context), context.progress('rows'))

export const runRestore: RunCommand = async (context) => {
  // Read before the configuration, which creates the folder and its secret.
  const before = listNames(resolve(context.environment.DATA_DIR || './data'))
  const { identity, erasures } = context.options
  const pathOfOption = (given: unknown) => (typeof given === 'string' ? context.resolvePath(given) : undefined)
  return restore(context.readConfig(), pathOf(context) ?? '', {
    before,
    identityFile: pathOfOption(identity),
    onProgress: context.progress('rows'),
    erasuresFile: pathOfOption(erasures),
    kinds: await context.findPersonalDataKinds(),
  })
}

export const runMove: RunCommand = (context) => moveToPostgres(context.readConfig(), context.progress('rows'))

/** Backs up the database and the files, directly or through the running product that holds the embedded database. */
export async function backUp(config: Config, given?: string, onProgress?: Progress): Promise<CommandResult> {
  if (!config.databaseUrl) requireEmbedded(config)
  await requireRecipients(config)
  const backupRecipients = await findRecipients(config)
  let file = resolve(given ?? join(backupFolder(config), nameBackup(new Date(), 'whole', { backupRecipients })))
  let manifest: Manifest
  try {
    const database = await openDatabase(config)
    try {
      await migrateDatabase(database.db)
      manifest = await writeBackup(database.db, { ...config, backupRecipients }, { file, files: true }, onProgress)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    ;({ manifest, file } = await callRunningServer(config, given && file, onProgress))
  }
  const { texts, tables, rows } = summarize(manifest)
  return { text: { fr: `${file} : ${texts.fr}`, en: `${file}: ${texts.en}` }, json: { file, tables, rows } }
}

type RestoreOptions = {
  before?: ReadonlySet<string> | null
  /** The private key of an encrypted archive. */
  identityFile?: string | undefined
  onProgress?: Progress
  /** Erasures that are neither in `DATA_DIR` nor beside the archive. */
  erasuresFile?: string | undefined
  kinds?: readonly PersonalDataKind[]
}

/**
 * Restores a backup into the empty database of this configuration and into `DATA_DIR`; `-` is the standard input. The archive
 * is checked completely first; a failed restore leaves only the names in `before`.
 */
export async function restore(
  config: Config,
  given: string,
  { before = listNames(config.dataDir), identityFile, onProgress, erasuresFile, kinds = [] }: RestoreOptions = {},
): Promise<CommandResult> {
  const taken = given === '-' ? join(config.dataDir, 'restore.tar.gz') : null
  const file = taken ?? resolve(given)
  const startedAt = performance.now()
  try {
    if (taken) await pipeline(process.stdin, createWriteStream(taken, { mode: 0o600 }))
    for (const needed of [file, ...(erasuresFile ? [erasuresFile] : [])])
      if (!existsSync(needed)) throw new BackupError({ fr: `${needed} n’existe pas.`, en: `There is no ${needed}.` })
    const identity = identityFile === undefined ? null : await readIdentity(identityFile)
    const manifest = await checkArchive(file, identity)
    const database = await openDatabase(config)
    let isOwnSecret = true
    let erased = 0
    let isCompanyElsewhere = false
    try {
      ;({ isCompanyElsewhere } = await readBackup(database.db, config, { file, manifest, identity }, onProgress))
      // The secret file came with the backup.
      const secret = config.isSecretGiven ? config.secret : storedSecret(config.dataDir)
      isOwnSecret = await isSecretOf(database.db, secret)
      for (const place of [...(taken ? [] : [join(dirname(file), erasuresName)]), ...(erasuresFile ? [erasuresFile] : [])])
        addToErasures(join(config.dataDir, erasuresName), readErasures(place))
      // With another secret their hashes fit nothing: the start with the right one applies them.
      if (isOwnSecret) {
        bindKeys(database.db, secret)
        erased = await applyErasures(database.db, config.dataDir, kinds)
      }
    } finally {
      await database.close()
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    const { texts, tables, rows } = summarize(manifest)
    const done = {
      fr: `Restaurée et vérifiée en ${seconds.replace('.', ',')} s : ${texts.fr} de ${manifest.made_at}.`,
      en: `Restored and verified in ${seconds} s: ${texts.en} of ${manifest.made_at}.`,
    }
    const companyElsewhere = {
      fr: `Les fichiers de l’entreprise restent ceux de ${config.companyDir} (COMPANY_DIR) : ceux de la copie sont encore dans son dossier company.`,
      en: `The company’s files remain those of ${config.companyDir} (COMPANY_DIR): those of the backup are still in its folder company.`,
    }
    const erasedAgain = {
      fr: `Effacés de nouveau, parce qu’ils l’avaient été après cette copie : ${erased}.`,
      en: `Deleted again, because they had been deleted after this backup: ${erased}.`,
    }
    const parts = [done, erasedAgain, ...(isCompanyElsewhere ? [companyElsewhere] : []), ...(isOwnSecret ? [] : [otherSecret])]
    const text = { fr: parts.map(({ fr }) => fr).join('\n'), en: parts.map(({ en }) => en).join('\n') }
    return { text, json: { tables, rows, made_at: manifest.made_at, is_own_secret: isOwnSecret, erased } }
  } catch (error) {
    removeNewFiles(config.dataDir, before)
    throw error
  } finally {
    if (taken) rmSync(taken, { force: true })
  }
}

/** Names of the files in a folder; null where there is no folder. */
function listNames(folder: string): ReadonlySet<string> | null {
  return existsSync(folder) ? new Set(readdirSync(folder)) : null
}

/** Removes the files of a failed restore, but not those that were there before. */
function removeNewFiles(dataDir: string, before: ReadonlySet<string> | null) {
  for (const name of ['database', 'session-secret', 'restore.tar.gz', unpackFolder, erasuresName]) {
    if (!before?.has(name)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  const links = readdirSync(dataDir).filter((name) => lstatSync(join(dataDir, name)).isSymbolicLink())
  for (const name of links) if (!before?.has(name)) rmSync(join(dataDir, name))
  if (!before && readdirSync(dataDir).length === 0) rmdirSync(dataDir)
}

/** Copies the embedded database of `DATA_DIR` into the empty PostgreSQL database of `DATABASE_URL`. */
export async function moveToPostgres(config: Config, onProgress?: Progress): Promise<CommandResult> {
  if (!config.databaseUrl)
    throw new BackupError({
      fr: 'DATABASE_URL doit nommer la base PostgreSQL où déménager.',
      en: 'DATABASE_URL must name the PostgreSQL database to move to.',
    })
  requireEmbedded(config)
  const folder = mkdtempSync(join(tmpdir(), 'guichet-move-'))
  const embedded = await openDatabase({ dataDir: config.dataDir, databaseUrl: undefined })
  try {
    await migrateDatabase(embedded.db)
    const dump = await dumpDatabase(embedded.db, folder)
    const postgres = await openDatabase(config)
    try {
      await migrateDatabase(postgres.db)
      if (!(await isEmptyDatabase(postgres.db)))
        throw new BackupError({ fr: 'La base de DATABASE_URL n’est pas vide.', en: 'The database of DATABASE_URL is not empty.' })
      await loadDatabase(postgres.db, folder, dump, onProgress)
    } finally {
      await postgres.close()
    }
    const { texts, tables, rows } = summarize({ tables: dump.tables })
    return {
      text: {
        fr: `Déménagé et vérifié : ${texts.fr}. Démarrez désormais le produit avec DATABASE_URL.`,
        en: `Moved and verified: ${texts.en}. Start the product with DATABASE_URL from now on.`,
      },
      json: { tables, rows },
    }
  } finally {
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In the wrong folder, a command would create an empty database and back that up. */
function requireEmbedded({ dataDir }: Config) {
  if (existsSync(join(dataDir, 'database'))) return
  throw new BackupError({
    fr: `Il n’y a pas de base de données dans ${dataDir} : donnez à la commande le DATA_DIR du serveur.`,
    en: `There is no database in ${dataDir}: give the command the DATA_DIR of the server.`,
  })
}

/** The setting of the product that runs decides, also where PostgreSQL lets this command write the backup itself. */
async function findRecipients(config: Config) {
  if (!config.databaseUrl) return config.backupRecipients
  const response = await sendCommand(config, backupCommand, { method: 'POST', path: '/api/backup/recipients' }).catch(() => null)
  // Stopped, another product, or one of an earlier version.
  if (!response?.ok) return config.backupRecipients
  const running = z.array(z.string()).parse(await response.json())
  requireSameRecipients(config.backupRecipients, running)
  return running
}

const isRefusedConnection = (error: unknown) =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ECONNREFUSED'

async function callRunningServer(config: Config, file: string | undefined, onProgress?: Progress) {
  const address = ownAddress(config)
  const response = await sendCommand(config, backupCommand, {
    method: 'POST',
    path: '/api/backup',
    body: { file, recipients: config.backupRecipients },
  }).catch((error: unknown) => {
    // Something took the call, and was gone before it answered.
    if (!isRefusedConnection(error)) throw stoppedMeanwhile(address)
    throw new BackupError(
      {
        fr: `Le serveur est en marche, mais pas à ${address}. Lancez la commande avec les mêmes HOST et PORT.`,
        en: `The server is running, but not at ${address}. Run the command with the same HOST and PORT.`,
      },
      'unreachable',
    )
  })
  if (!response.ok || !response.body) {
    const answer = (await response.json().catch(() => ({}))) as { detail?: string }
    throw new BackupError({
      fr: `Le serveur à ${address} a répondu ${response.status} : ${answer.detail ?? ''}`,
      en: `The server at ${address} responded with ${response.status}: ${answer.detail ?? ''}`,
    })
  }
  try {
    for await (const line of readLines<BackupLine>(response.body)) {
      if ('manifest' in line) return line
      if ('failure' in line) throw new BackupError(line.failure)
      onProgress?.(line.done, line.total)
    }
  } catch (error) {
    if (!(error instanceof ServerStopped)) throw error
  }
  throw stoppedMeanwhile(address)
}

const stoppedMeanwhile = (address: string) =>
  new BackupError(
    {
      fr: `Le serveur à ${address} s’est arrêté avant la fin de la copie de sécurité : il n’y a pas de nouvelle archive. Démarrez le serveur, puis relancez la commande.`,
      en: `The server at ${address} stopped before the backup was written: there is no new archive. Start the server, then repeat the command.`,
    },
    'unreachable',
  )

function summarize({ tables }: Pick<Manifest, 'tables'>) {
  const rows = tables.reduce((total, table) => total + table.rows, 0)
  const texts = { fr: `${tables.length} tables, ${rows} lignes`, en: `${tables.length} tables, ${rows} rows` }
  return { texts, tables: tables.length, rows }
}
