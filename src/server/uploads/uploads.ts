import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { Conflict, Invalid, NotFound, Problem, StorageFull } from '../problems.ts'
import { uploads } from './uploads-table.ts'

/** What files may be uploaded in pieces for: by whom, and how large one may be. */
export type UploadPurpose = {
  maxBytes: number
  /** Throws where the route that takes the file would refuse the caller. */
  check: (request: FastifyRequest) => void | Promise<void>
}

type Context = { db: Database; config: Pick<Config, 'dataDir'> }
type Wanted = { purpose: string; name: string; bytes: number }
type Upload = typeof uploads.$inferSelect

/** An unfinished upload is deleted so long after its last bytes. */
export const uploadHours = 24
export const uploadsPerOwner = 10
export const uploadBytesPerOwner = 8 * 1024 ** 3
/** After so long without bytes, an upload makes room for a new one of the same owner. */
const idleMs = 3_600_000
/** Stays free for the database, whose log must not find the disk full. */
const reserveBytes = 256 * 1024 ** 2

export const uploadFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'uploads')
const pathOf = ({ config }: Context, id: string) => join(uploadFolder(config), id)

/** Throws where the owner has too many unfinished uploads, or the disk has no room for the file. */
export async function startUpload(context: Context, owner: string, wanted: Wanted): Promise<Upload> {
  const folder = uploadFolder(context.config)
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < wanted.bytes + reserveBytes) throw new StorageFull()
  const id = randomBytes(32).toString('base64url')
  await writeFile(join(folder, id), '', { flag: 'wx' })
  try {
    const { row, idle } = await context.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('uploads'), hashtext(${owner}))`)
      const others = await tx.select().from(uploads).where(eq(uploads.owner, owner)).orderBy(asc(uploads.updatedAt))
      const removed = makeRoom(others, wanted.bytes)
      if (removed.length > 0) await tx.delete(uploads).where(inArray(uploads.id, removed))
      const [stored] = await tx
        .insert(uploads)
        .values({ ...wanted, id, owner })
        .returning()
      if (!stored) throw new Error('an upload was not stored')
      return { row: stored, idle: removed }
    })
    for (const one of idle) await rm(pathOf(context, one), { force: true })
    return row
  } catch (error) {
    await rm(join(folder, id), { force: true })
    throw error
  }
}

/** The idle uploads, oldest first, that must go before another one of so many bytes. */
function makeRoom(others: readonly Upload[], bytes: number) {
  const left = [...others]
  const removed: string[] = []
  const isFull = () =>
    left.length >= uploadsPerOwner || left.reduce((sum, one) => sum + one.bytes, 0) + bytes > uploadBytesPerOwner
  while (isFull()) {
    const [oldest] = left
    if (!oldest || oldest.updatedAt.getTime() > Date.now() - idleMs) {
      throw new Conflict('You have too many unfinished uploads. Finish or stop one, then try again.')
    }
    removed.push(oldest.id)
    left.shift()
  }
  return removed
}

/** An upload of this owner, and how many of its bytes are stored. */
export async function findUpload(context: Context, owner: string, id: string) {
  const [row] = await context.db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.owner, owner)))
  const found = row && (await stat(pathOf(context, id)).catch(unlessMissing))
  if (!row || !found) throw new NotFound('This upload does not exist, or was deleted.')
  return { ...row, offset: found.size }
}

function unlessMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
  return null
}

/**
 * Stores bytes from `offset` on, which must be where the upload is, and returns where it is then. Bytes that came before the
 * connection broke are stored too.
 */
export async function appendToUpload(context: Context, owner: string, id: string, { offset, body }: Piece): Promise<number> {
  const upload = await findUpload(context, owner, id)
  if (offset !== upload.offset) {
    throw new Problem(409, 'Wrong offset', `This upload continues at byte ${upload.offset}.`, {
      extra: { offset: upload.offset },
    })
  }
  const file = await open(pathOf(context, id), 'r+')
  try {
    return await write(file, upload, body)
  } finally {
    await file.close()
    await context.db.update(uploads).set({ updatedAt: new Date() }).where(eq(uploads.id, id))
  }
}

type Piece = { offset: number; body: Readable }

/**
 * At positions, never appended: bytes of a broken connection that still arrive are then the same bytes at the same place as
 * those of the connection that replaced it.
 */
async function write(file: FileHandle, { bytes, offset }: Pick<Upload, 'bytes'> & { offset: number }, body: Readable) {
  let position = offset
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (position + chunk.length > bytes) throw new Problem(413, 'Too large', 'This upload is longer than announced.')
      for (let written = 0; written < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, written, chunk.length - written, position + written)
        written += bytesWritten
      }
      position += chunk.length
    }
  } catch (error) {
    throw isBroken(error) ? new Invalid('The request ended before all of its bytes came.') : error
  }
  // A crash of the machine must not leave a length without its bytes.
  await file.datasync()
  return position
}

function isBroken(error: unknown) {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code)
}

/** A finished upload as a file: for the same owner and purpose only. */
export async function openUpload(context: Context, owner: string, purpose: string, id: string) {
  const upload = await findUpload(context, owner, id)
  if (upload.purpose !== purpose) throw new NotFound('This upload does not exist, or was deleted.')
  if (upload.offset !== upload.bytes) throw new Conflict('This upload is not finished.')
  return { name: upload.name, bytes: upload.bytes, stream: createReadStream(pathOf(context, id)) }
}

export async function removeUpload(context: Context, owner: string, id: string) {
  const removed = await context.db
    .delete(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.owner, owner)))
    .returning({ id: uploads.id })
  if (removed.length === 0) throw new NotFound('This upload does not exist, or was deleted.')
  await rm(pathOf(context, id), { force: true })
}

/** Deletes uploads without bytes since then, and files whose rows are gone; returns how many uploads. */
export async function endUploads(context: Context, before: Date, limit: number) {
  const { db, config } = context
  const due = db.select({ id: uploads.id }).from(uploads).where(lt(uploads.updatedAt, before)).limit(limit)
  const removed = await db.delete(uploads).where(inArray(uploads.id, due)).returning({ id: uploads.id })
  for (const { id } of removed) await rm(pathOf(context, id), { force: true })
  const names = await readdir(uploadFolder(config)).catch((error: NodeJS.ErrnoException) => unlessMissing(error) ?? [])
  const known = await db.select({ id: uploads.id }).from(uploads).where(inArray(uploads.id, names))
  for (const name of names.filter((one) => !known.some(({ id }) => id === one))) {
    const found = await stat(pathOf(context, name)).catch(unlessMissing)
    // The file of a new upload is there before its row.
    if (found && found.mtime < before) await rm(pathOf(context, name), { force: true })
  }
  return removed.length
}
