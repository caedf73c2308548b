import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { uploadId } from '#src/lib/upload-schemas.ts'
import { offsetHeader, pieceType } from '#src/lib/uploads.ts'
import '../audit-log/audit-log.ts'
import { Forbidden, Invalid, Problem } from '../problems.ts'
import type { App, Routes } from '../types.ts'
import type { UploadPurpose } from './uploads.ts'
import { appendToUpload, endUploads, findUpload, removeUpload, startUpload, uploadHours } from './uploads.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What files may be uploaded in pieces for. */
    uploadPurposes: Readonly<Record<string, UploadPurpose>>
  }
}

const starts = { points: 600, seconds: 600 }
const pieces = { points: 12_000, seconds: 600 }
const access = { access: 'signed-in' } as const

const uploadInput = z.strictObject({
  purpose: z.string().max(40),
  name: z.string().min(1).max(255),
  bytes: z.int().min(1),
})
const uploadState = z.object({ id_upload: z.string(), offset: z.int(), bytes: z.int() })
const params = z.object({ id: uploadId })

/** `/api/uploads`: large files in pieces; the routes that take them then name the upload in the place of the file. */
export const uploadRoutes: Routes = async (app) => {
  app.queue.schedule('uploads-end', '40 * * * *', async () => {
    await endUploads(app, new Date(Date.now() - uploadHours * 3_600_000), 1_000)
  })
  app.addContentTypeParser(pieceType, (_request, body, done) => done(null, body))

  app.post('/', { config: access, schema: { body: uploadInput, response: { 201: uploadState } } }, async (request, reply) => {
    const { purpose, name, bytes } = request.body
    const { maxBytes, check } = findPurpose(app, purpose)
    await check(request)
    await app.limits.take('upload-start', ownerOf(request), starts)
    if (bytes > maxBytes) throw new Problem(413, 'Too large', 'This file is too large.', { extra: { reason: 'tooLarge' } })
    const { id } = await startUpload(app, ownerOf(request), { purpose, name, bytes })
    return reply.code(201).send({ id_upload: id, offset: 0, bytes })
  })
  app.get('/:id', { config: access, schema: { params, response: { 200: uploadState } } }, async (request) => {
    const { id, offset, bytes } = await findUpload(app, ownerOf(request), request.params.id)
    return { id_upload: id, offset, bytes }
  })
  app.patch(
    '/:id',
    { config: { ...access, upload: true }, schema: { params, response: { 200: uploadState } } },
    async (request) => {
      const given = request.headers[offsetHeader]
      if (typeof given !== 'string' || !/^\d{1,15}$/.test(given)) throw new Invalid('Upload-Offset must be a whole number.')
      if (request.headers['content-type'] !== pieceType) throw new Problem(415, 'Wrong type', `A piece comes as ${pieceType}.`)
      await app.limits.take('upload-piece', ownerOf(request), pieces)
      const { id } = request.params
      const { purpose, bytes } = await findUpload(app, ownerOf(request), id)
      // A right may have been taken since the start.
      await findPurpose(app, purpose).check(request)
      const piece = { offset: Number(given), body: request.body as Readable }
      return { id_upload: id, bytes, offset: await appendToUpload(app, ownerOf(request), id, piece) }
    },
  )
  app.delete('/:id', { config: access, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await removeUpload(app, ownerOf(request), request.params.id)
    return reply.code(204).send(null)
  })
}

function findPurpose({ uploadPurposes }: App, purpose: string) {
  const found = Object.hasOwn(uploadPurposes, purpose) && uploadPurposes[purpose]
  if (!found) throw new Invalid('Some values are not valid.', [{ path: 'purpose', message: 'invalid' }])
  return found
}

/** Who begins an upload: a person, who may sign in again before it ends. */
export function ownerOf({ author }: FastifyRequest) {
  if (author.userId === null) throw new Forbidden()
  return `user:${author.userId}`
}
