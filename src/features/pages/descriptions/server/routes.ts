import multipart from '@fastify/multipart'
import { z } from 'zod'
import { readUploadedPicture, storeSharePicture } from '#src/features/content/server/pictures.ts'
import type { Routes } from '#src/server/types.ts'
import { descriptionInput, listedPage, pageDescription, pageParams, sharePicture } from '../contract.ts'
import { sharePictureMaxBytes } from '../values.ts'
import { applyDescriptions, findDescription, listPages, saveDescription } from './service.ts'

const canRead = { access: 'company read_only' } as const
const canWrite = { access: 'company read_write' } as const
const uploads = { points: 60, seconds: 600 }

/** `/api/pages`: titles, descriptions and pictures of pages, for search results and shared links. */
export const descriptionRoutes: Routes = async (app) => {
  const { db, events } = app
  await applyDescriptions(db)
  events.onChanged((area) => {
    if (area !== 'company') return
    // Another instance saved: what was cached since shows the former texts.
    applyDescriptions(db)
      .then((isNew) => isNew && events.changed('company'))
      .catch((error: unknown) => app.log.error({ err: error }, 'the descriptions of pages were not read again'))
  })
  await app.register(multipart, { limits: { fileSize: sharePictureMaxBytes, files: 1, fields: 0 } })

  app.get('/', { config: canRead, schema: { response: { 200: z.array(listedPage) } } }, () => listPages(app))
  app.get('/:key', { config: canRead, schema: { params: pageParams, response: { 200: pageDescription } } }, (request) =>
    findDescription(app, request.params.key),
  )
  app.put(
    '/:key',
    { config: canWrite, schema: { params: pageParams, body: descriptionInput, response: { 200: pageDescription } } },
    (request) => saveDescription(app, request.author, request.params.key, request.body),
  )
  app.post(
    '/pictures',
    { config: { ...canWrite, upload: true }, schema: { response: { 201: sharePicture } } },
    async (request, reply) => {
      await app.limits.take('share-picture', String(request.actor.userId), uploads)
      return reply.code(201).send(await storeSharePicture(db, await readUploadedPicture(request, 'share_pictures')))
    },
  )
}
