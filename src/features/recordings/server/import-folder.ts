import { readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { logger } from '#src/server/log.ts'
import type { ImportOutcome } from '../contract.ts'
import type { RefusalReason } from '../values.ts'
import { readCallTable } from './audio.ts'
import type { ImportContext } from './import-file.ts'
import { importFile } from './import-file.ts'
import { ImportRefusal } from './refusal.ts'
import type { GivenFacts } from './call-facts.ts'
import { readJsonSidecar } from './call-facts.ts'

const soundExtensions = new Set(['.wav', '.mp3', '.ogg', '.opus', '.gsm'])
/** A table holds the calls of a year, a note those of one sound. */
const tableMaxBytes = 16 * 1024 * 1024
const noteMaxBytes = 64 * 1024

export const isSound = (path: string) => soundExtensions.has(extname(path).toLowerCase())

/** Every file under a folder, in the order of their names; folders whose name begins with a dot stay out. */
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

/** Imports one file with what stands beside it; a refusal is an outcome, not an error. */
export async function tryImport(context: ImportContext, { path, file, notes }: ImportedFile): Promise<ImportOutcome> {
  try {
    const { id, isNew } = await importFile(context, { path, name: basename(path), given: await notes.of(path) })
    return { file, outcome: isNew ? 'imported' : 'known', reason: null, id_recording: id }
  } catch (error) {
    const reason: RefusalReason = error instanceof ImportRefusal ? error.reason : 'unreadable'
    if (!(error instanceof ImportRefusal)) logger.error({ err: error, file }, 'a recording could not be imported')
    return { file, outcome: 'failed', reason, id_recording: null }
  }
}

export type Notes = ReturnType<typeof createNotes>

/** Reads the sidecar files (JSON, CSV) of a folder; each is read once. */
export function createNotes(files: readonly string[]) {
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

/** The notes that belong to one sound alone. */
export const sidecarsOf = (path: string) => [`${path.slice(0, -extname(path).length)}.json`, `${path}.json`]

async function readText(path: string, mostBytes: number) {
  if ((await stat(path)).size > mostBytes) throw new ImportRefusal('sidecar')
  return readFile(path, 'utf8')
}
