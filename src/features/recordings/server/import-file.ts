import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { company } from '#company/company.ts'
import { instantOf } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Invalid, Problem } from '#src/server/problems.ts'
import type { FormFile } from '#src/server/uploads/form-parts.ts'
import { formParts } from '#src/server/uploads/form-parts.ts'
import type { RefusalReason } from '../values.ts'
import { uploadMaxBytes } from '../values.ts'
import type { Audio } from './audio.ts'
import { readAudio, readCallTable } from './audio.ts'
import type { GivenFacts } from './call-facts.ts'
import { readCallName, readJsonSidecar } from './call-facts.ts'
import { ImportRefusal } from './refusal.ts'
import { gramsOf, searchedText, auditFactsOf } from './service.ts'
import type { RecordingStorage } from './storage.ts'
import { registerPendingFile, markFilesForRemoval } from './storage.ts'
import { recordingPeaks, recordings, strayFiles } from './table.ts'

export type ImportContext = {
  db: Database
  storage: RecordingStorage
  /** Folder for temporary files. */
  workFolder: string
  author: Author
}

type Incoming = { path: string; name: string; given?: GivenFacts | undefined }
type Imported = { id: number; isNew: boolean }

/** Creates a recording from a file; the same content under the same name returns the existing one. */
export async function importFile(context: ImportContext, { path, name: givenName, given }: Incoming): Promise<Imported> {
  const name = cleanName(givenName)
  const sha256 = await hashOf(path)
  const known = await findKnown(context.db, sha256, name)
  if (known) return { id: known, isNew: false }
  const call = readFacts(name, given)
  await mkdir(context.workFolder, { recursive: true })
  const converted = join(context.workFolder, `${randomUUID()}.wav`)
  try {
    return await store(context, { name, sha256, call, audio: await readAudio(path, converted) })
  } finally {
    await rm(converted, { force: true })
  }
}

type Ready = { name: string; sha256: string; call: ReturnType<typeof readFacts>; audio: Audio }

async function store({ db, storage, author }: ImportContext, { name, sha256, call, audio }: Ready): Promise<Imported> {
  const storageKey = `${call.startedAt.toISOString().slice(0, 7).replace('-', '/')}/${randomUUID()}.${audio.type}`
  await registerPendingFile(db, storageKey)
  await storage.put(storageKey, audio)
  return db.transaction(async (tx) => {
    const { caller, callee, agent } = call
    const searched = searchedText([caller, callee, agent])
    const { type, bytes, durationMs, peaks } = audio
    const grams = gramsOf(searched)
    const [row] = await tx
      .insert(recordings)
      .values({ ...call, fileName: name, sha256, storageKey, type, bytes, durationMs, searched, grams })
      .onConflictDoNothing()
      .returning()
    if (!row) {
      // A concurrent import of the same file was faster.
      await markFilesForRemoval(tx, [storageKey])
      return { id: (await findKnown(tx, sha256, name)) ?? 0, isNew: false }
    }
    await tx.insert(recordingPeaks).values({ recordingId: row.id, peaks })
    await tx.delete(strayFiles).where(eq(strayFiles.storageKey, storageKey))
    await recordChange(tx, author, { area: 'recordings', action: 'import', entryId: row.id, after: auditFactsOf(row) })
    return { id: row.id, isNew: true }
  })
}

async function findKnown(db: Database, sha256: string, name: string) {
  const [known] = await db
    .select({ id: recordings.id })
    .from(recordings)
    .where(and(eq(recordings.sha256, sha256), eq(recordings.fileName, name)))
  return known?.id ?? null
}

/** The file name without folders, with either separator. */
function cleanName(name: string) {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? ''
  const isUsable = last !== '' && last.length <= 255 && last.isWellFormed() && !/\p{Cc}/u.test(last)
  if (!isUsable) throw new ImportRefusal('name')
  return last
}

function readFacts(name: string, given: GivenFacts = {}) {
  const facts: GivenFacts = { ...readCallName(name), ...given }
  const { date, caller = '', callee = '', agent = '' } = facts
  if (!date || (caller === '' && callee === '')) throw new ImportRefusal('noFacts')
  return { startedAt: instantOfDate(date), direction: facts.direction ?? 'in', caller, callee, agent }
}

function instantOfDate(date: string) {
  const [day = '', time = ''] = date.split('T')
  if (!/^\d\d:\d\d:\d\d$/.test(time)) return new Date(date)
  const minute = instantOf(company.hours.timeZone, day, time.slice(0, 5))
  return new Date(minute.getTime() + Number(time.slice(6)) * 1_000)
}

async function hashOf(path: string) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const sidecarMaxBytes = 1024 * 1024
const sidecarExtensions = new Set(['.json', '.csv'])

type Note = { name: string; content: string }

/** One audio file with its sidecars, which may come before or after it, streamed to disk. */
export async function importUpload(context: ImportContext, request: FastifyRequest) {
  if (!/^multipart\/form-data;.*\bboundary=./i.test(request.headers['content-type'] ?? '')) {
    throw new Problem(415, 'Wrong type', 'A recording comes as multipart/form-data.')
  }
  await mkdir(context.workFolder, { recursive: true })
  const path = join(context.workFolder, `${randomUUID()}.upload`)
  try {
    const { name, notes } = await receive(request, path)
    return await importFile(context, { path, name, given: await factsFor(name, notes) })
  } catch (error) {
    throw error instanceof ImportRefusal ? toProblem(error.reason) : error
  } finally {
    await rm(path, { force: true })
  }
}

async function receive(request: FastifyRequest, path: string) {
  let name: string | null = null
  const notes: Note[] = []
  try {
    for await (const part of formParts(request, 'recordings', { limits: { files: 10, fields: 1, fileSize: uploadMaxBytes } })) {
      if (part.type === 'field') throw new Invalid('A recording has no fields.')
      if (sidecarExtensions.has(extname(part.filename).toLowerCase())) notes.push(await readNote(part))
      else if (name === null) {
        name = part.filename
        await writeSound(part, path)
      } else throw new Invalid('One recording at a time.')
    }
  } catch (error) {
    throw isOurs(error) ? error : new Invalid('The request is incomplete or malformed.')
  }
  if (name === null) throw new Invalid('There is no recording in this request.')
  return { name, notes }
}

/** Problems and disk errors pass through; anything else is a malformed body. */
function isOurs(error: unknown) {
  if (error instanceof Problem || error instanceof ImportRefusal) return true
  return error instanceof Error && ('errno' in error || 'statusCode' in error)
}

async function writeSound(part: FormFile, path: string) {
  await pipeline(part.file, createWriteStream(path))
  if (part.file.truncated) throw new ImportRefusal('tooLarge')
}

async function readNote(part: FormFile): Promise<Note> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of part.file) {
    size += (chunk as Buffer).length
    if (size > sidecarMaxBytes) throw new ImportRefusal('tooLarge')
    chunks.push(chunk as Buffer)
  }
  return { name: part.filename, content: Buffer.concat(chunks).toString('utf8') }
}

async function factsFor(name: string, notes: readonly Note[]) {
  const stem = name.slice(0, name.length - extname(name).length)
  let fromSidecars: GivenFacts = {}
  for (const note of notes) {
    if (extname(note.name).toLowerCase() === '.csv')
      fromSidecars = { ...fromSidecars, ...(await readCallTable(note.content, [name])).get(name) }
    else if ([`${stem}.json`, `${name}.json`].includes(note.name))
      fromSidecars = { ...fromSidecars, ...readJsonSidecar(note.content) }
  }
  return fromSidecars
}

const problems: Record<RefusalReason, [number, string, string]> = {
  noFacts: [422, 'Unusable file', 'Date or numbers not found in the file name or its metadata.'],
  notAudio: [415, 'Wrong type', 'Only WAV, MP3, OGG and GSM sounds are accepted, whatever their name.'],
  unreadable: [422, 'Unusable file', 'This audio file is unreadable or damaged.'],
  needsFfmpeg: [422, 'Unusable file', 'This format requires ffmpeg on the server.'],
  tooLarge: [413, 'Too large', 'This file is too large.'],
  sidecar: [422, 'Unusable file', 'The metadata file cannot be read.'],
  name: [422, 'Unusable file', 'This file name cannot be used.'],
}

function toProblem(reason: RefusalReason) {
  const [status, title, detail] = problems[reason]
  return new Problem(status, title, detail, { extra: { reason } })
}
