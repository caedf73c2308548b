import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import type { FileEntry } from '@zip.js/zip.js'
import { BlobReader, ZipReader } from '@zip.js/zip.js'
import { UnusableSource } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'

/** Limit of the compression ratio (zip bomb), and of what is held for each entry. */
const maxUnpackRatio = 200
const entriesMax = 500_000
const pathMax = 500
const sumsMaxBytes = 200 * entriesMax
const textMaxBytes = 1_000_000
/** A message of a mail with its HTML; files are in no row. */
const lineMaxBytes = 32_000_000
const newline = 10

export type ArchiveKind = { name: string; rows: number; columns: ReadonlySet<string> }
export type Archive = {
  kinds: ReadonlyMap<string, ArchiveKind>
  /** Names below `files/`, in the order of the archive. */
  files: readonly string[]
  /** The lines of a kind. */
  readLines: (kind: string) => AsyncGenerator<Buffer>
  /** The bytes of a file, by its name below `files/`. */
  readFile: (name: string) => AsyncGenerator<Uint8Array>
  close: () => Promise<void>
}

type Options = { onProgress: (done: number, total: number | null) => void; signal: AbortSignal }

/**
 * Opens an export and reads it to its end: names, sizes, checksums and the form of every row. Nothing of it is written anywhere.
 * Throws `UnusableSource`.
 */
export async function openArchive(path: string, { onProgress, signal }: Options): Promise<Archive> {
  const blob = await openAsBlob(path)
  const zip = new ZipReader(new BlobReader(blob), { useWebWorkers: false, checkOverlappingEntry: true })
  const limit = { left: blob.size * maxUnpackRatio }
  try {
    const entries = await listEntries(zip, limit.left)
    const sums = await readSums(entries, limit)
    const kinds = new Map<string, ArchiveKind>()
    let rows = 0
    for (const [name, entry] of entries) {
      if (name === sumsName) continue
      const kind = /^([a-z_]+)\.jsonl$/.exec(name)?.[1]
      const hash = createHash('sha256')
      const chunks = hashed(readEntry(entry, limit, signal), hash)
      if (kind) {
        const columns = await readColumns(entries.get(`${kind}.schema.json`), kind, signal)
        let own = 0
        for await (const line of splitLines(chunks)) {
          checkLine(line, kind, own + 1, columns)
          own += 1
          rows += 1
          if (rows % 500 === 0) onProgress(rows, null)
        }
        kinds.set(kind, { name: kind, rows: own, columns })
      } else for await (const _ of chunks) signal.throwIfAborted()
      if (sums.get(name) !== hash.digest('hex')) throw damaged(name)
    }
    const files = [...entries.keys()].flatMap((name) => (name.startsWith(filesFolder) ? name.slice(filesFolder.length) : []))
    const find = (name: string) => {
      const entry = entries.get(name)
      if (!entry) throw damaged(name)
      return readEntry(entry, { left: Number.POSITIVE_INFINITY }, signal)
    }
    return {
      kinds,
      files,
      readLines: (kind) => splitLines(find(`${kind}.jsonl`)),
      readFile: (name) => find(`${filesFolder}${name}`),
      close: () => zip.close(),
    }
  } catch (error) {
    await zip.close()
    const isOurs = error instanceof UnusableSource || signal.aborted || (error instanceof Error && 'syscall' in error)
    throw isOurs ? error : unusable(broken, error)
  }
}

const filesFolder = 'files/'
const sumsName = 'SHA256SUMS'
const ownName = /^(?:[a-z_]+\.(?:jsonl|schema\.json)|README\.md|SHA256SUMS)$/

const foreign: Label = {
  fr: 'Ce fichier n’est pas une archive faite par « Exporter ».',
  en: 'This file is not an archive made by “Export”.',
}
const broken: Label = {
  fr: 'Cette archive est endommagée ou incomplète : elle ne peut pas être lue jusqu’au bout.',
  en: 'This archive is damaged or incomplete: it cannot be read to its end.',
}
const tooLarge: Label = {
  fr: `Cette archive fait plus de ${maxUnpackRatio} fois sa taille une fois décompressée, ou contient trop de fichiers.`,
  en: `This archive unpacks to more than ${maxUnpackRatio} times its size, or holds too many files.`,
}

export function unusable(label: Label, cause?: unknown) {
  const error = new UnusableSource(label)
  if (cause !== undefined) error.cause = cause
  return error
}

const damaged = (name: string) =>
  unusable({
    fr: `${shown(name)} n’est pas ce que dit SHA256SUMS : cette archive a été modifiée ou est endommagée.`,
    en: `${shown(name)} is not what SHA256SUMS says: this archive was changed or is damaged.`,
  })

const shown = (name: string) => JSON.stringify(name.slice(0, 100).toWellFormed())

/** Every file by its name; refuses what an export never holds before anything is unpacked. */
async function listEntries(zip: ZipReader<unknown>, most: number) {
  const entries = new Map<string, FileEntry>()
  let declared = 0
  for await (const entry of zip.getEntriesGenerator({ filenameValidation: 'tolerant' })) {
    const { filename: name } = entry
    const parts = name.split('/')
    const isOutside =
      name.length > pathMax ||
      parts.some((part) => part === '' || part === '.' || part === '..') ||
      /[\p{Cc}\\]|^[A-Za-z]:/u.test(name) ||
      !name.isWellFormed()
    if (isOutside || entry.directory || !(ownName.test(name) || name.startsWith(filesFolder))) {
      throw unusable({
        fr: `Cette archive contient ${shown(name)}, qu’une exportation ne contient jamais.`,
        en: `This archive holds ${shown(name)}, which an export never does.`,
      })
    }
    if (entry.symlink || isSpecial(entry.unixMode)) {
      throw unusable({
        fr: `Cette archive contient ${shown(name)}, qui est un lien et non un fichier.`,
        en: `This archive holds ${shown(name)}, which is a link and no file.`,
      })
    }
    if (entry.encrypted) {
      throw unusable({ fr: 'Cette archive est protégée par un mot de passe.', en: 'This archive is protected by a password.' })
    }
    if (entries.has(name)) {
      throw unusable({ fr: `Cette archive contient deux fois ${shown(name)}.`, en: `This archive holds ${shown(name)} twice.` })
    }
    entries.set(name, entry)
    declared += entry.uncompressedSize
    if (declared > most || entries.size > entriesMax) throw unusable(tooLarge)
  }
  if (!entries.has(sumsName) || !entries.has('README.md')) throw unusable(foreign)
  return entries
}

const regularFile = 0o100000
/** Neither a regular file nor without a type. */
const isSpecial = (mode = 0) => (mode & 0o170000) !== 0 && (mode & 0o170000) !== regularFile

type Limit = { left: number }

/** The content of an entry: what its header declares about its size is not believed. */
async function* readEntry(entry: FileEntry, limit: Limit, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const options = { useWebWorkers: false, checkSignature: true, ...(signal && { signal }) }
  const done = entry.getData(writable, options)
  // It rejects while a chunk is read, which throws the same.
  done.catch(() => undefined)
  for await (const chunk of readable) {
    limit.left -= chunk.length
    if (limit.left < 0) throw unusable(tooLarge)
    yield chunk
  }
  await done
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at)])
      parts = []
      length = 0
      from = at + 1
    }
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > lineMaxBytes) throw unusable(tooLarge)
  }
  if (length > 0) throw unusable(broken)
}

async function readText(entry: FileEntry, most: number, limit: Limit) {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of readEntry(entry, limit)) {
    length += chunk.length
    if (length > most) throw unusable(tooLarge)
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The checksums by name, one for every other file of the archive. */
async function readSums(entries: ReadonlyMap<string, FileEntry>, limit: Limit) {
  const entry = entries.get(sumsName)
  const text = entry ? await readText(entry, sumsMaxBytes, limit) : ''
  const sums = new Map<string, string>()
  for (const line of text.split('\n').filter(Boolean)) {
    const [, sum, name] = /^([\da-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (sum === undefined || name === undefined || !entries.has(name)) throw damaged(name ?? sumsName)
    sums.set(name, sum)
  }
  for (const name of entries.keys()) if (name !== sumsName && !sums.has(name)) throw damaged(name)
  return sums
}

async function readColumns(entry: FileEntry | undefined, kind: string, signal: AbortSignal) {
  signal.throwIfAborted()
  const schema = entry ? parseObject(await readText(entry, textMaxBytes, { left: textMaxBytes })) : null
  const required = schema?.['required']
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) throw damaged(`${kind}.schema.json`)
  return new Set<string>(required)
}

function checkLine(line: Buffer, kind: string, at: number, columns: ReadonlySet<string>) {
  const row = parseObject(line.toString('utf8'))
  const keys = row && Object.keys(row)
  if (keys?.length === columns.size && keys.every((key) => columns.has(key))) return
  throw unusable({
    fr: `La ligne ${at} de ${kind}.jsonl n’est pas une fiche de son schéma.`,
    en: `Line ${at} of ${kind}.jsonl is no entry of its schema.`,
  })
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
