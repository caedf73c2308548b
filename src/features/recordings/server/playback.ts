import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { logger } from '#src/server/log.ts'
import { NotFound, Problem } from '#src/server/problems.ts'
import { mimeTypes } from '../values.ts'
import type { RecordingRow } from './service.ts'
import { auditFactsOf } from './service.ts'
import type { ByteRange, RecordingStorage } from './storage.ts'
import { recordingPlays } from './table.ts'

/** The first part that a session requests is recorded as the play; the others belong to it. */
export async function recordPlay(db: Database, author: Author, sessionHash: string, row: RecordingRow) {
  await db.transaction(async (tx) => {
    const first = await tx
      .insert(recordingPlays)
      .values({ sessionHash, recordingId: row.id })
      .onConflictDoNothing()
      .returning({ id: recordingPlays.recordingId })
    if (first.length > 0)
      await recordChange(tx, author, { area: 'recordings', action: 'play', entryId: row.id, after: auditFactsOf(row) })
  })
}

/** Each download is an audit event; resuming an interrupted one is not. */
export async function recordDownload(db: Database, author: Author, row: RecordingRow, range: string | undefined) {
  if (range !== undefined && !range.startsWith('bytes=0-')) return
  await db.transaction((tx) =>
    recordChange(tx, author, { area: 'recordings', action: 'download', entryId: row.id, after: auditFactsOf(row) }),
  )
}

/** Sends a recording, or the requested part of it (RFC 9110). */
export async function sendRecording(request: FastifyRequest, reply: FastifyReply, storage: RecordingStorage, row: RecordingRow) {
  const etag = `"${row.sha256.slice(0, 32)}"`
  const condition = request.headers['if-range']
  const wanted = condition === undefined || condition === etag ? request.headers.range : undefined
  const range = readRange(wanted, row.bytes)
  void reply.headers({ 'accept-ranges': 'bytes', etag })
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${row.bytes}`)
    throw new Problem(416, 'Range not satisfiable', 'The recording is shorter than that.')
  }
  const length = range ? range.end - range.start + 1 : row.bytes
  void reply.code(range ? 206 : 200).headers({ 'content-length': length, 'content-type': mimeTypes[row.type] })
  if (range) void reply.header('content-range', `bytes ${range.start}-${range.end}/${row.bytes}`)
  if (request.method === 'HEAD') return reply.send()
  return reply.send(await openFile(storage, row, range))
}

async function openFile(storage: RecordingStorage, row: RecordingRow, range: { start: number; end: number } | null) {
  try {
    return await storage.open(row.storageKey, range)
  } catch (error) {
    logger.error({ err: error, recording: row.id }, 'the file of a recording cannot be read')
    throw new NotFound('The file of this recording cannot be read now.')
  }
}

/** File name of the download: the original name, with the ending of the stored format. */
export function saveAs({ fileName, type }: RecordingRow) {
  const name = fileName.toLowerCase().endsWith(`.${type}`) ? fileName : `${fileName.replace(/\.[^.]*$/, '')}.${type}`
  const plain = name.replaceAll(/[^\w.-]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, encodeByte)}`
}

const encodeByte = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * The part of a file that a `Range` header requests (RFC 9110), both ends included; null for the whole file: no header, another
 * unit, several ranges, or an invalid range.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { start: size - length, end: size - 1 } : 'unsatisfiable'
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}
