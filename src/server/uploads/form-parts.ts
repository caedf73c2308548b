import type { Readable } from 'node:stream'
import type { FastifyMultipartBaseOptions } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { uploadField } from '#src/lib/uploads.ts'
import type { App } from '../types.ts'
import { openUpload, removeUpload } from './uploads.ts'
import { ownerOf } from './routes.ts'

type FormField = { type: 'field'; fieldname: string; value: string }
export type FormFile = { type: 'file'; fieldname: string; filename: string; file: Readable & { truncated: boolean } }

/**
 * The parts of a form with files. A finished upload comes as the file that it is, so that the route checks both alike;
 * it is deleted once the route has taken or refused it.
 */
export async function* formParts(
  request: FastifyRequest,
  purpose: string,
  options?: FastifyMultipartBaseOptions,
): AsyncGenerator<FormField | FormFile> {
  for await (const part of request.parts(options)) {
    if (part.type === 'file') yield part
    else if (part.fieldname !== uploadField) yield { type: 'field', fieldname: part.fieldname, value: String(part.value) }
    else yield await openFormFile(request, purpose, String(part.value))
  }
}

async function openFormFile(request: FastifyRequest, purpose: string, id: string): Promise<FormFile> {
  const { name, stream } = await openUpload(request.server, ownerOf(request), purpose, id)
  taken.set(request, [...(taken.get(request) ?? []), id])
  return { type: 'file', fieldname: 'file', filename: name, file: Object.assign(stream, { truncated: false }) }
}

/** The content of a file of a JSON body: Base64, or a finished upload that the body names instead. */
export async function readFileBytes(request: FastifyRequest, purpose: string, given: { data?: string; upload?: string }) {
  if (given.upload === undefined) return Buffer.from(given.data ?? '', 'base64')
  const { file } = await openFormFile(request, purpose, given.upload)
  return Buffer.concat(await file.toArray())
}

/** Uploads that the route of a request has read. */
const taken = new WeakMap<FastifyRequest, string[]>()

/** The same file would be refused again; after any other refusal the caller may try again without sending it anew. */
const finalRefusals = new Set([400, 413, 415, 422])

/** Deletes uploads that a route took, or refused for good. */
export function removeTakenUploads(app: App) {
  app.addHook('onSend', async (request, { statusCode }) => {
    const ids = taken.get(request)
    if (!ids || (statusCode >= 300 && !finalRefusals.has(statusCode))) return
    taken.delete(request)
    for (const id of ids) {
      await removeUpload(app, ownerOf(request), id).catch((error: unknown) => {
        request.log.warn({ err: error }, 'an upload that was taken is deleted later')
      })
    }
  })
}
