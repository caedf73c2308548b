import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ReadEntry } from 'tar'
import { Parser } from 'tar'
import { runInWorker, WorkerLimit } from '../background/limited-worker.ts'
import { knowsMigrations } from '../database/migrate.ts'
import { BackupError } from './dump.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { LocalizedError } from '../localized-error.ts'
import type { Manifest } from './manifest.ts'
import type { Identity } from './encryption.ts'
import { decryptWith, isEncrypted, NotDecrypted } from './encryption.ts'
import { leftOut, manifestSchema, workFolder } from './manifest.ts'

/** Limit of the compression ratio (zip bomb). */
const maxUnpackRatio = 200
const manifestMaxBytes = 1_000_000
const pathMax = 1_000
const memoryMb = 512
const leastMs = 60_000
const msPerMegabyte = 5_000

/** Thrown for an invalid archive; the message is for the user who restores. */
class InvalidArchive extends LocalizedError {}

const noBackup = { fr: 'Ce fichier n’est pas une copie de sécurité de ce produit.', en: 'This file is not a Guichet backup.' }

/** Input of the worker thread. */
export type ArchiveToRead = { file: string; identity: Identity | null }

export type CheckResult = { manifest: Manifest } | { refused: LocalizedText }

/**
 * Checks a whole archive in a worker thread without writing anything; throws `BackupError` with one sentence where it is
 * invalid.
 */
export async function checkArchive(file: string, identity: Identity | null = null): Promise<Manifest> {
  const worker = new URL(`./archive-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  const { size } = await stat(file)
  const timeMs = leastMs + (size / 1_000_000) * msPerMegabyte
  try {
    const response = await runInWorker<CheckResult>(worker, { file, identity } satisfies ArchiveToRead, { timeMs, memoryMb })
    if ('refused' in response) throw new BackupError(response.refused)
    if (!knowsMigrations(response.manifest.migrations))
      throw new BackupError({
        fr: 'Cette copie de sécurité a été faite par une version plus récente du produit : installez cette version, puis restaurez-y la copie.',
        en: 'This backup was made by a newer version of Guichet: install that version, and restore it there.',
      })
    return response.manifest
  } catch (error) {
    if (error instanceof WorkerLimit)
      throw new BackupError({
        fr: 'La lecture de cette archive demande trop de temps ou de mémoire.',
        en: 'This archive takes too much time or memory to be read.',
      })
    throw error
  }
}

/** Runs in the worker thread. */
export async function readArchive(file: string, identity: Identity | null = null): Promise<CheckResult> {
  try {
    return { manifest: await readSound(file, identity) }
  } catch (error) {
    if (error instanceof InvalidArchive || error instanceof NotDecrypted) return { refused: error.texts }
    const code = (error as { code?: string; tarCode?: string }).tarCode ?? (error as { code?: string }).code ?? ''
    if (code === 'TAR_BAD_ARCHIVE' || code === 'TAR_ENTRY_INVALID' || code.startsWith('Z_')) {
      return {
        refused: {
          fr: 'Cette archive est endommagée ou incomplète : elle ne peut pas être lue jusqu’au bout.',
          en: 'This archive is damaged or incomplete: it cannot be read to its end.',
        },
      }
    }
    throw error
  }
}

async function readSound(file: string, identity: Identity | null): Promise<Manifest> {
  const { size } = await stat(file)
  if (!(await isEncrypted(file))) await requireGzip(file)
  const found = createFindings()
  // `strict` turns warnings, such as a wrong header checksum, into errors.
  const parser = new Parser({ strict: true, onReadEntry: (entry) => found.take(entry) })
  const done = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve)
    parser.on('error', reject)
  })
  const source = pipeline(readArchiveFile(file, identity), limitTo(size * maxUnpackRatio), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      found.throwRefusal()
      if (!parser.write(chunk)) await new Promise<void>((resolve) => parser.once('drain', resolve))
    }
    parser.end()
  })
  await Promise.all([source, done])
  found.throwRefusal()
  return found.toManifest()
}

const chunkBytes = 256 * 1_024

/** In large parts: the garbage of small ones grows to hundreds of megabytes, and takes most of the time. */
export async function* readArchiveFile(file: string, identity: Identity | null): AsyncGenerator<Buffer> {
  const isOpen = !(await isEncrypted(file))
  const stored = createReadStream(file, { highWaterMark: chunkBytes })
  const unpacked = createGunzip({ chunkSize: chunkBytes })
  // Its error ends the loop below.
  pipeline(isOpen ? stored : decryptWith(stored, identity), unpacked).catch(() => undefined)
  for await (const chunk of unpacked) yield chunk as Buffer
}

async function requireGzip(path: string) {
  const head = Buffer.alloc(2)
  const file = await open(path)
  await file.read(head, 0, 2, 0).finally(() => file.close())
  if (head.readUInt16BE(0) !== 0x1f8b) throw new InvalidArchive(noBackup)
}

function limitTo(most: number) {
  let unpacked = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length
      done(
        unpacked > most
          ? new InvalidArchive({
              fr: `Cette archive fait plus de ${maxUnpackRatio} fois sa taille une fois décompressée.`,
              en: `This archive unpacks to more than ${maxUnpackRatio} times its size.`,
            })
          : null,
        chunk,
      )
    },
  })
}

/** Collects and checks the entries of an archive. */
function createFindings() {
  const paths = new Set<string>()
  const hashes = new Map<string, string>()
  let manifestText: Buffer[] | null = null
  let refusal: InvalidArchive | null = null

  return {
    take(entry: ReadEntry) {
      refusal ??= refuseEntry(entry, paths)
      const table = new RegExp(`^${workFolder}/tables/([^/]+)\\.ndjson$`).exec(entry.path)?.[1]
      if (refusal) entry.resume()
      else if (entry.path === `${workFolder}/manifest.json` && entry.size <= manifestMaxBytes) {
        const parts: Buffer[] = []
        manifestText = parts
        entry.on('data', (part) => void parts.push(part))
      } else if (table) {
        const hash = createHash('sha256')
        entry.on('data', (part) => void hash.update(part))
        entry.on('end', () => hashes.set(table, hash.digest('hex')))
      } else entry.resume()
    },
    throwRefusal() {
      if (refusal) throw refusal
    },
    toManifest(): Manifest {
      const manifest = manifestText && parseManifest(Buffer.concat(manifestText))
      if (!manifest) throw new InvalidArchive(noBackup)
      for (const { name, sha256 } of manifest.tables) {
        if (hashes.get(name) !== sha256)
          throw new InvalidArchive({
            fr: `${name} est endommagée dans la copie de sécurité.`,
            en: `${name} is damaged in the backup.`,
          })
      }
      return manifest
    },
  }
}

function refuseEntry({ path, type }: ReadEntry, paths: Set<string>) {
  const shown = JSON.stringify(path.slice(0, 100))
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') {
    return new InvalidArchive({
      fr: `Cette archive contient ${shown}, qui n’est ni un fichier ni un dossier : une copie de sécurité n’en contient jamais.`,
      en: `This archive holds ${shown}, which is no file and no folder: a Guichet backup never does.`,
    })
  }
  const parts = path.replace(/\/$/, '').split('/')
  const isOutside = parts.some((part) => part === '' || part === '.' || part === '..') || /[\\\0]|^[A-Za-z]:/.test(path)
  if (isOutside || path.length > pathMax || leftOut.has(parts[0] ?? '')) {
    return new InvalidArchive({
      fr: `Cette archive veut écrire ${shown}, où une copie de sécurité n’écrit rien.`,
      en: `This archive wants to write ${shown}, where a Guichet backup writes nothing.`,
    })
  }
  const name = parts.join('/')
  if (paths.has(name))
    return new InvalidArchive({ fr: `Cette archive contient deux fois ${shown}.`, en: `This archive holds ${shown} twice.` })
  paths.add(name)
  return null
}

function parseManifest(text: Buffer) {
  try {
    return manifestSchema.parse(JSON.parse(text.toString('utf8')))
  } catch {
    return null
  }
}
