import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { and, eq, inArray, isNotNull, isNull, lt, not, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { photoFormats, photoKey, photoPath, photoWidths } from '#src/lib/image-sizes.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { draw } from './picture-process.ts'
import { pictures } from './pictures-table.ts'
import { Invalid, NotFound, Problem, Unusable } from '#src/server/problems.ts'
import { formParts } from '#src/server/uploads/form-parts.ts'
import type { Routes } from '#src/server/types.ts'

const maxBytes = 8 * 1024 * 1024
/**
 * Re-encodes a photo given as a data URL and stores its copies; returns the address of the largest JPEG. The content decides,
 * not the name: 415 for another type, 413 above 8 MB, 422 where it cannot be decoded.
 */
export async function storePhoto(db: Database, dataUrl: string): Promise<string> {
  const bytes = readDataUrl(dataUrl)
  const key = keyOf(bytes)
  const address = photoPath(key, Math.max(...photoWidths), 'jpeg')
  const { format } = pictures
  const known = await db.update(pictures).set({ unusedSince: null }).where(eq(pictures.key, key)).returning({ format })
  // Only photos are AVIF: logos and pictures of texts once had the same keys.
  if (known.some((one) => one.format === 'avif')) return address
  const copies = await draw('drawPhoto', bytes).catch(refuseUnreadable)
  await db
    .insert(pictures)
    .values(copies.map((copy) => ({ key, ...copy })))
    .onConflictDoNothing()
  return address
}

/** By its bytes and purpose: the same file as photo, logo and picture of a text has other copies. */
const keyOf = (bytes: Buffer | string, purpose = '') =>
  createHash('sha256').update(purpose).update(bytes).digest('hex').slice(0, 32)

/** Stores drawings of the product's own, which are SVG, as the copies of photos; returns their addresses. */
export async function storeDrawings(db: Database, drawings: readonly string[]): Promise<string[]> {
  const made = await Promise.all(drawings.map((svg) => draw('drawPhoto', Buffer.from(svg), 0)))
  const keys = drawings.map((svg) => keyOf(svg))
  await db.insert(pictures).values(made.flatMap((copies, index) => copies.map((copy) => ({ key: keys[index] ?? '', ...copy }))))
  return keys.map((key) => photoPath(key, Math.max(...photoWidths), 'jpeg'))
}

/**
 * Re-encodes a picture from its pixels, which drops everything else in its bytes (location, scripts, appended files). Null
 * where the bytes are no accepted picture.
 */
export async function redrawPicture(bytes: Buffer): Promise<{ bytes: Buffer; type: 'image/jpeg' | 'image/png' } | null> {
  if (!isPhoto(bytes) && !isWebp(bytes)) return null
  const format = bytes[0] === 0x89 ? 'png' : 'jpeg'
  return { bytes: await draw('redraw', bytes, format).catch(refuseUnreadable), type: `image/${format}` }
}

function refuseUnreadable(error: unknown): never {
  logger.info({ err: error }, 'a picture cannot be drawn')
  throw new Unusable('This picture cannot be read, or has more than 40 million pixels.')
}

/** A deleted entry can be restored with its picture for so long. */
export const unusedPictureDays = 30

/** Whether a row of these tables shows a picture, in whatever column. */
export function isShownIn(tables: readonly PgTable[]) {
  const shown = tables.map(
    (table) => sql`select (regexp_matches(t::text, '/media/([0-9a-f]{32})-', 'g'))[1] as key from ${table} t`,
  )
  return sql`${pictures.key} in (select key from (${sql.join(shown, sql` union `)}) shown)`
}

/**
 * Removes what no row of these tables, in whatever column, has shown since `before`, and marks what none shows now. Returns the
 * number of removed pictures.
 */
export async function removeUnusedPictures(db: Database, tables: readonly PgTable[], before: Date, limit: number) {
  const isShown = isShownIn(tables)
  return db.transaction(async (tx) => {
    await tx
      .update(pictures)
      .set({ unusedSince: null })
      .where(and(isNotNull(pictures.unusedSince), isShown))
    await tx
      .update(pictures)
      .set({ unusedSince: sql`now()` })
      .where(and(isNull(pictures.unusedSince), not(isShown)))
    const old = tx.selectDistinct({ key: pictures.key }).from(pictures).where(lt(pictures.unusedSince, before)).limit(limit)
    const removed = await tx.delete(pictures).where(inArray(pictures.key, old)).returning({ key: pictures.key })
    return new Set(removed.map(({ key }) => key)).size
  })
}

/** Whether the content of a file is a picture that texts may have; its name decides nothing. */
export async function isPicture(path: string) {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0)
    return isPhoto(buffer) || isWebp(buffer)
  } finally {
    await file.close()
  }
}

/** Of a picture of a text. */
const leastWidth = 16

/**
 * Re-encodes a picture of a text as one JPEG and stores it: its address and size. 415 for another type, 422 where it cannot be
 * decoded.
 */
export async function storePicture(db: Database, bytes: Buffer) {
  return storeJpeg(db, bytes, 'text')
}

/** The same for the picture of a shared link, which fills its whole size. */
export async function storeSharePicture(db: Database, bytes: Buffer) {
  return storeJpeg(db, bytes, 'share')
}

async function storeJpeg(db: Database, bytes: Buffer, purpose: 'text' | 'share') {
  if (!isPhoto(bytes) && !isWebp(bytes))
    throw new Problem(415, 'Wrong type', 'Only jpg, jpeg, png, webp and avif pictures are accepted.')
  const { data, width, height } = await draw('drawJpeg', bytes, purpose).catch(refuseUnreadable)
  if (width < leastWidth) throw new Unusable(`This picture is narrower than ${leastWidth} pixels.`)
  const key = keyOf(bytes, `${purpose}\0`)
  await db
    .insert(pictures)
    .values({ key, width, format: 'jpeg', bytes: data })
    .onConflictDoUpdate({
      target: [pictures.key, pictures.width, pictures.format],
      set: { unusedSince: null },
    })
  return { url: photoPath(key, width, 'jpeg'), width, height }
}

/** The file of a form, or the finished upload that it names; the route limits its size. */
export async function readUploadedPicture(request: FastifyRequest, purpose: string) {
  if (!request.isMultipart()) throw new Problem(415, 'Wrong type', 'A picture comes as multipart/form-data.')
  try {
    for await (const part of formParts(request, purpose, { limits: { files: 1, fields: 1 } })) {
      if (part.type === 'field') continue
      const bytes = Buffer.concat(await part.file.toArray())
      if (part.file.truncated) throw new Problem(413, 'Too large', 'The picture is over 8 MB.')
      return bytes
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    if ((error as { statusCode?: number }).statusCode === 413) throw new Problem(413, 'Too large', 'The picture is over 8 MB.')
    request.log.info({ err: error }, 'unreadable picture upload')
    throw new Invalid('The upload is incomplete or malformed.')
  }
  throw new Invalid('The upload contains no file.')
}

const logoMaxBytes = 512 * 1024

/**
 * Draws a logo given as a data URL, PNG or SVG, on a white plate and stores it; returns its address. Only what it looks like is
 * stored: no script, link or outside file of an SVG reaches a browser.
 */
export async function storeLogo(db: Database, dataUrl: string) {
  const start = dataUrl.indexOf(',') + 1
  if (!/^data:image\/(png|svg\+xml);base64,$/.test(dataUrl.slice(0, start)))
    throw refusedLogo('Only png and svg logos are accepted.')
  const bytes = Buffer.from(dataUrl.slice(start), 'base64')
  if (bytes.length > logoMaxBytes) throw refusedLogo('The logo is over 512 KB.')
  const isDrawing = bytes[0] !== 0x89
  if (isDrawing && leadsOutside(bytes.toString('utf8'))) throw refusedLogo('This logo needs files outside itself, or is no SVG.')
  const { data, width } = await draw('drawLogo', bytes, isDrawing).catch((error: unknown) => {
    logger.info({ err: error }, 'a logo cannot be drawn')
    throw refusedLogo('This logo cannot be read.')
  })
  const key = keyOf(bytes, 'logo\0')
  await db
    .insert(pictures)
    .values({ key, width, format: 'png', bytes: data })
    .onConflictDoUpdate({ target: [pictures.key, pictures.width, pictures.format], set: { unusedSince: null, bytes: data } })
  return `/media/${key}-${width}.png`
}

const refusedLogo = (reason: string) => new Invalid(reason, [{ path: 'new_logo', message: 'not usable as a logo' }])

/** Not an SVG, or one that refers to anything but its own parts and pictures within it. */
const leadsOutside = (svg: string) =>
  !isSvg(svg) ||
  /<!ENTITY|<(\w+:)?include\b|@import/i.test(svg) ||
  /\bhref\s*=(?!\s*(?:["']\s*)?(?:#|data:image\/(?:png|jpeg)))/i.test(svg) ||
  /url\((?!\s*(?:["']\s*)?#)/i.test(svg)

/** Reads each character once: one expression with repeated comments takes years for a hundred of them. */
function isSvg(text: string) {
  // `trim` takes the byte order mark too.
  const start = skipComments(text.trim().replace(/^<\?xml[^>]*>/, ''))
  return /^<svg[\s>]/.test(skipComments(start.replace(/^<!DOCTYPE svg[^>[]*>/, '')))
}

function skipComments(text: string) {
  let at = 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1
    if (!text.startsWith('<!--', at)) return text.slice(at)
    const end = text.indexOf('-->', at + 4)
    if (end === -1) return ''
    at = end + 3
  }
}

/** The bytes of a stored logo; null where it is gone. */
export async function findLogo(db: Database, address: string) {
  const [, key = '', width = '0'] = /^\/media\/([\da-f]{32})-(\d+)\.png$/.exec(address) ?? []
  const [row] = await db
    .select({ bytes: pictures.bytes })
    .from(pictures)
    .where(and(eq(pictures.key, key), eq(pictures.width, Number(width)), eq(pictures.format, 'png')))
  return row ? Buffer.from(row.bytes) : null
}

/** Whether a picture of a text or of a shared link is stored. */
export async function isStoredPicture(db: Database, address: string) {
  const [, key = '', width = '0'] = /^\/media\/([\da-f]{32})-(\d+)\.jpeg$/.exec(address) ?? []
  const wanted = and(eq(pictures.key, key), eq(pictures.width, Number(width)), eq(pictures.format, 'jpeg'))
  return (await db.$count(pictures, wanted)) > 0
}

export async function isStoredPhoto(db: Database, address: string) {
  const key = photoKey(address)
  return key !== null && (await db.$count(pictures, and(eq(pictures.key, key), eq(pictures.format, 'avif')))) > 0
}

/** Texts without those pictures that nobody showed for a while, which were deleted. */
export async function withStoredPictures(db: Database, texts: readonly string[]) {
  const image = /<img\b[^>]*>/g
  const keyOf = (one: string) => /\/media\/([\da-f]{32})-/.exec(one)?.[1] ?? ''
  const wanted = texts.flatMap((text) => [...text.matchAll(image)].map(([one]) => keyOf(one)))
  if (wanted.length === 0) return [...texts]
  const rows = await db.selectDistinct({ key: pictures.key }).from(pictures).where(inArray(pictures.key, wanted))
  const stored = new Set(rows.map(({ key }) => key))
  return texts.map((text) => text.replaceAll(image, (one) => (stored.has(keyOf(one)) ? one : '')))
}

function readDataUrl(dataUrl: string) {
  const start = dataUrl.indexOf(',') + 1
  const base64 = dataUrl.slice(start)
  // Searches for a foreign character: an expression that matches the whole picture overflows V8's stack.
  if (!/^data:[\w/+.-]*;base64,$/.test(dataUrl.slice(0, start)) || !/^[\w+/]/.test(base64) || /[^\w+/=]/.test(base64))
    throw new Unusable('The picture must be a base64 data URL.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > maxBytes) throw new Problem(413, 'Too large', 'The picture is over 8 MB.')
  if (!isPhoto(bytes)) throw new Problem(415, 'Wrong type', 'Only jpg, jpeg, png and avif pictures are accepted.')
  return bytes
}

/** JPEG, PNG or AVIF by their first bytes. */
function isPhoto(bytes: Buffer) {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return true
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return true
  return bytes.subarray(4, 8).toString('latin1') === 'ftyp' && /^(avif|avis)/.test(bytes.subarray(8, 12).toString('latin1'))
}

function isWebp(bytes: Buffer) {
  return bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP'
}

const params = z.strictObject({ file: z.string().regex(/^[\da-f]{32}-\d{2,4}\.(avif|jpeg|png)$/) })

/** Serves the copies; an address always has the same bytes, so it is immutable. */
export const pictureRoutes: Routes = async (app) => {
  app.get('/:file', { config: { access: 'public' }, schema: { params, hide: true } }, async (request, reply) => {
    const [, key = '', width, format] = /^([\da-f]{32})-(\d+)\.(\w+)$/.exec(request.params.file) ?? []
    const [row] = await app.db
      .select({ bytes: pictures.bytes })
      .from(pictures)
      .where(and(eq(pictures.key, key), eq(pictures.width, Number(width)), eq(pictures.format, asFormat(format))))
    if (!row) throw new NotFound('There is no such picture.')
    void reply.header('cache-control', 'public, max-age=31536000, immutable').type(`image/${format}`)
    return reply.send(Buffer.from(row.bytes))
  })
}

function asFormat(format: string | undefined) {
  if (format === 'png') return format
  return photoFormats.find((one) => one === format) ?? 'jpeg'
}
