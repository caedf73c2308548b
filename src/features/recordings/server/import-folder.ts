import { readFile, readdir, stat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { LocalizedError } from '#src/server/localized-error.ts'
import { logger } from '#src/server/log.ts'
import { commandAuthor, readLines, sendCommand, ServerStopped } from '#src/server/http/command-key.ts'
import type { Config } from '#src/server/config.ts'
import { ownAddress } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { prepareDatabase } from '#src/server/secrets/bind-secret.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { RunCommand } from '#src/server/command-line/command.ts'
import { recordingTexts } from '../texts.ts'
import type { ImportOutcome } from '../contract.ts'
import { importOutcome } from '../contract.ts'
import type { RefusalReason } from '../values.ts'
import { readCallTable } from './audio.ts'
import type { ImportContext } from './import-file.ts'
import { importFile } from './import-file.ts'
import { ImportRefusal } from './refusal.ts'
import type { GivenFacts } from './call-facts.ts'
import { readJsonSidecar } from './call-facts.ts'
import { incomingFolder, openStorage } from './storage.ts'

const soundExtensions = new Set(['.wav', '.mp3', '.ogg', '.opus', '.gsm'])
/** A CSV may contain the calls of a year, a JSON sidecar one call. */
const tableMaxBytes = 16 * 1024 * 1024
const noteMaxBytes = 64 * 1024

const isSound = (path: string) => soundExtensions.has(extname(path).toLowerCase())

/** Every file under a folder, sorted by name; hidden folders are skipped. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.')) found.push(...(await listFiles(path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

/** Imports every audio file under a folder, one after the other, and yields each outcome. The folder is not changed. */
export async function* importFolder(context: ImportContext, folder: string): AsyncGenerator<ImportOutcome> {
  const files = await listFiles(folder)
  const notes = createNotes(files)
  for (const path of files.filter(isSound)) yield tryImport(context, { path, file: relative(folder, path), notes })
}

type ImportedFile = { path: string; file: string; notes: Notes }

/** Imports one file with its sidecars; a rejected file is an outcome, not an error. */
async function tryImport(context: ImportContext, { path, file, notes }: ImportedFile): Promise<ImportOutcome> {
  try {
    const { id, isNew } = await importFile(context, { path, name: basename(path), given: await notes.of(path) })
    return { file, outcome: isNew ? 'imported' : 'known', reason: null, id_recording: id }
  } catch (error) {
    const reason: RefusalReason = error instanceof ImportRefusal ? error.reason : 'unreadable'
    if (!(error instanceof ImportRefusal)) logger.error({ err: error, file }, 'a recording could not be imported')
    return { file, outcome: 'failed', reason, id_recording: null }
  }
}

type Notes = ReturnType<typeof createNotes>

/** Reads the sidecar files (JSON, CSV) of a folder; each is read once. */
function createNotes(files: readonly string[]) {
  const known = new Set(files)
  const tables = Map.groupBy(
    files.filter((path) => extname(path).toLowerCase() === '.csv'),
    (path) => dirname(path),
  )
  const sounds = Map.groupBy(files.filter(isSound), (path) => dirname(path))
  const soundsBeside = (path: string) => (sounds.get(dirname(path)) ?? []).map((sound) => basename(sound))
  const read = new Map<string, Promise<Map<string, GivenFacts>>>()
  const readOnce = (path: string) => {
    const made = read.get(path) ?? readText(path, tableMaxBytes).then((content) => readCallTable(content, soundsBeside(path)))
    read.set(path, made)
    return made
  }
  return {
    async of(path: string): Promise<GivenFacts> {
      let facts: GivenFacts = {}
      for (const table of tables.get(dirname(path)) ?? []) facts = { ...facts, ...(await readOnce(table)).get(basename(path)) }
      for (const note of sidecarsOf(path))
        if (known.has(note)) facts = { ...facts, ...readJsonSidecar(await readText(note, noteMaxBytes)) }
      return facts
    },
  }
}

/** The sidecars that belong to one audio file only. */
const sidecarsOf = (path: string) => [`${path.slice(0, -extname(path).length)}.json`, `${path}.json`]

async function readText(path: string, mostBytes: number) {
  if ((await stat(path)).size > mostBytes) throw new ImportRefusal('sidecar')
  return readFile(path, 'utf8')
}

const everyMs = 10_000
const failedFolder = 'failed'

/**
 * Watches a folder: a file that two scans in a row found unchanged is imported and removed; a rejected one is moved to
 * `failed/` with the reason beside it.
 */
export function createIncomingFolder(context: ImportContext, folder: string) {
  let lastStates = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  /** Polls, because network folders send no file system events. */
  async function scan() {
    const files = (await listFiles(folder)).filter((path) => !relative(folder, path).startsWith(join(failedFolder, '/')))
    const notes = createNotes(files)
    const now = new Map<string, string>()
    for (const path of files.filter(isSound)) {
      const state = await stateOf(path)
      if (state === null) continue
      if (lastStates.get(path) === state) await take(path, notes)
      else now.set(path, state)
    }
    lastStates = now
  }

  async function take(path: string, notes: ReturnType<typeof createNotes>) {
    const file = relative(folder, path)
    const { outcome, reason } = await tryImport(context, { path, file, notes })
    if (outcome !== 'failed') {
      for (const done of [path, ...sidecarsOf(path)]) await rm(done, { force: true })
      return
    }
    const target = join(folder, failedFolder, file)
    await mkdir(dirname(target), { recursive: true })
    await rename(path, target)
    await writeFile(`${target}.reason.txt`, `${reason}\n`)
    logger.warn({ file, reason }, 'a recording that arrived was refused')
  }

  const scanSafely = () =>
    scan().catch((error: unknown) => logger.error({ err: error }, 'the folder of recordings could not be read'))

  return {
    scan,
    start() {
      const next = () => {
        running = scanSafely().then(() => {
          if (timer) timer = setTimeout(next, everyMs)
        })
      }
      timer = setTimeout(next, 0)
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await running
    },
  }
}

async function stateOf(path: string) {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  } catch {
    // Deleted since it was listed.
    return null
  }
}

export const importCommand = 'recordings:import'

/** An invalid use of the command; the message is printed without a stack trace. */
export class ImportFailed extends LocalizedError {}

export const run: RunCommand = async (context) => {
  const counts = { imported: 0, known: 0, failed: 0 }
  const failed: { file: string; reason: RefusalReason }[] = []
  const report = context.progress('files')
  for await (const { file, outcome, reason } of runImport(
    context.readConfig(),
    context.resolvePath(context.arguments[0] ?? ''),
  )) {
    counts[outcome] += 1
    report(counts.imported + counts.known + counts.failed, null)
    if (reason) failed.push({ file, reason: reason as RefusalReason })
  }
  const of = (language: Language) => {
    const t = translator(recordingTexts, language)
    return failed.map(({ file, reason }) => `${file}: ${t(reason)}`)
  }
  const text = {
    fr: [...of('fr'), `${counts.imported} importés, ${counts.known} déjà importés, ${counts.failed} refusés`].join('\n'),
    en: [...of('en'), `${counts.imported} imported, ${counts.known} already imported, ${counts.failed} failed`].join('\n'),
  }
  return { text, json: { ...counts, refused: failed }, exitCode: counts.failed > 0 ? 1 : 0 }
}

/** Imports a folder, directly or through the running product that holds the embedded database. */
export async function* runImport(config: Config, folder: string): AsyncGenerator<ImportOutcome> {
  await readdir(folder).catch(() => {
    throw new ImportFailed({ fr: `${folder} n’est pas un dossier lisible.`, en: `${folder} is no folder that can be read.` })
  })
  let database
  try {
    database = await openDatabase(config)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    yield* callRunningServer(config, folder)
    return
  }
  try {
    await prepareDatabase(database.db, config)
    const context = { db: database.db, storage: openStorage(config), workFolder: incomingFolder(config) }
    yield* importFolder({ ...context, author: commandAuthor(importCommand) }, folder)
  } finally {
    await database.close()
  }
}

async function* callRunningServer(config: Config, folder: string): AsyncGenerator<ImportOutcome> {
  const address = ownAddress(config)
  const signed = { method: 'POST', path: '/api/recordings/import', body: { folder } } as const
  const response = await sendCommand(config, importCommand, signed).catch(() => {
    throw new ImportFailed(
      {
        fr: `Le serveur est en marche, mais pas à ${address}. Lancez la commande avec les mêmes HOST et PORT.`,
        en: `The server is running, but not at ${address}. Run the command with the same HOST and PORT.`,
      },
      'unreachable',
    )
  })
  if (!response.ok || !response.body) {
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string }
    throw new ImportFailed({
      fr: `Le produit à ${address} a répondu ${response.status}${detail ? ` : ${detail}` : ''}`,
      en: `The product at ${address} answered ${response.status}${detail ? `: ${detail}` : ''}`,
    })
  }
  try {
    for await (const line of readLines(response.body)) yield importOutcome.parse(line)
  } catch (error) {
    if (!(error instanceof ServerStopped)) throw error
    throw new ImportFailed(
      {
        fr: `Le serveur à ${address} s’est arrêté avant la fin. Démarrez-le, puis relancez la commande : ce qui est importé reste, et n’est pas importé de nouveau.`,
        en: `The server at ${address} stopped before the end. Start it, then repeat the command: what is imported stays, and is not imported again.`,
      },
      'unreachable',
    )
  }
}
