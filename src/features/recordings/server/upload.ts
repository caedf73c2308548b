import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Invalid, Problem } from '#src/server/problems.ts'
import type { RefusalReason } from '../values.ts'
import { uploadMaxBytes } from '../values.ts'
import { readCallTable } from './audio.ts'
import type { ImportContext } from './import-file.ts'
import { importFile } from './import-file.ts'
import { ImportRefusal } from './refusal.ts'
import type { GivenFacts } from './call-facts.ts'
import { readJsonSidecar } from './call-facts.ts'

const sidecarMaxBytes = 1024 * 1024
const sidecarExtensions = new Set(['.json', '.csv'])

type Note = { name: string; content: string }

/** One sound, with the notes that came before or after it, streamed to disk. */
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
    for await (const part of request.files({ limits: { files: 10, fields: 0, fileSize: uploadMaxBytes } })) {
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

async function writeSound(part: MultipartFile, path: string) {
  await pipeline(part.file, createWriteStream(path))
  if (part.file.truncated) throw new ImportRefusal('tooLarge')
}

async function readNote(part: MultipartFile): Promise<Note> {
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
  let said: GivenFacts = {}
  for (const note of notes) {
    if (extname(note.name).toLowerCase() === '.csv') said = { ...said, ...(await readCallTable(note.content, [name])).get(name) }
    else if ([`${stem}.json`, `${name}.json`].includes(note.name)) said = { ...said, ...readJsonSidecar(note.content) }
  }
  return said
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
