import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import { Invalid } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import type { RecordingSettings } from '../contract.ts'
import {
  folderInput,
  holdInput,
  recording,
  recordingDetail,
  recordingParams,
  recordingQuery,
  recordingSettings,
} from '../contract.ts'
import { uploadMaxBytes } from '../values.ts'
import { importCommand, importFolder, listFiles, createIncomingFolder } from './import-folder.ts'
import { recordDownload, recordPlay, saveAs, sendRecording } from './playback.ts'
import {
  holdRecording,
  removeRecording,
  findRecording,
  findRecordingRow,
  findRecordings,
  toRecording,
  accessFor,
  findRecordingSettings,
  saveRecordingSettings,
} from './service.ts'
import { incomingFolder, openStorage, removeOrphanFiles } from './storage.ts'
import { importUpload } from './import-file.ts'

const canRead = { config: { access: 'recordings read_only' } } as const
const canWrite = { config: { access: 'recordings read_write' } } as const
const uploads = { points: 600, seconds: 600 }
const watchAuthor = { userId: null, name: 'RECORDINGS_WATCH', address: '' }

/** `/api/recordings/recordings` (docs/api.md#recordings). */
export const recordingRoutes: Routes = async (app) => {
  const { db, config } = app
  const storage = openStorage(config)
  const context = { db, storage, workFolder: incomingFolder(config) }
  await app.register(multipart, { limits: { fileSize: uploadMaxBytes } })

  // Deletes files after their rows: old recordings, erased personal data, and files that a store could not delete at once.
  app.queue.schedule('recordings-sweep', '*/10 * * * *', async () => void (await removeOrphanFiles(context)))
  if (config.recordingsWatch) {
    const watch = createIncomingFolder({ ...context, author: watchAuthor }, config.recordingsWatch)
    app.addHook('onListen', async () => watch.start())
    app.addHook('onClose', () => watch.stop())
  }

  app.get(
    '/',
    { ...canRead, schema: { querystring: recordingQuery, response: { 200: z.array(recording) } } },
    async (request, reply) => {
      const { rows, total } = await findRecordings(db, request.query)
      return reply.header('x-total-count', total).send(rows)
    },
  )
  app.post(
    '/',
    { config: { ...canWrite.config, upload: true }, schema: { response: { 200: recording, 201: recording } } },
    async (request, reply) => {
      await app.limits.take('recording-upload', String(request.actor.userId), uploads)
      const { id, isNew } = await importUpload({ ...context, author: request.author }, request)
      return reply.code(isNew ? 201 : 200).send(toRecording(await findRecordingRow(db, id)))
    },
  )

  const one = { params: recordingParams }
  app.get('/:id', { ...canRead, schema: { ...one, response: { 200: recordingDetail } } }, (request) =>
    findRecording(db, request.params.id),
  )
  app.put('/:id/hold', { ...canWrite, schema: { ...one, body: holdInput, response: { 200: recording } } }, async (request) => {
    const { id } = request.params
    // Lifting a hold makes a recording deletable, so it requires the right to delete.
    if (!request.body.on_hold) requireRight(request.actor, 'recordings', (await findRecordingSettings(db)).delete)
    await holdRecording(db, request.author, id, request.body.on_hold)
    return toRecording(await findRecordingRow(db, id))
  })
  app.delete(
    '/:id',
    { config: { access: accessFor('delete') }, schema: { ...one, response: { 204: z.null() } } },
    async (request, reply) => {
      await removeRecording(db, request.author, request.params.id)
      await removeOrphanFiles(context)
      return reply.code(204).send(null)
    },
  )

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/audio',
    config: { access: accessFor('play') },
    schema: one,
    handler: async (request, reply) => {
      const row = await findRecordingRow(db, request.params.id)
      if (request.method === 'GET') await recordPlay(db, request.author, request.actor.sessionHash, row)
      return sendRecording(request, reply, storage, row)
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/download',
    config: { access: accessFor('download') },
    schema: one,
    handler: async (request, reply) => {
      const row = await findRecordingRow(db, request.params.id)
      if (request.method === 'GET') await recordDownload(db, request.author, row, request.headers.range)
      return sendRecording(request, reply.header('content-disposition', saveAs(row)), storage, row)
    },
  })
}

/** `/api/recordings/settings` and the route of the import command. */
export const recordingSettingsRoutes: Routes = async (app) => {
  const { db, config } = app
  app.get('/settings', { config: { access: 'recordings read_only' }, schema: { response: { 200: recordingSettings } } }, () =>
    findRecordingSettings(db),
  )
  app.put(
    '/settings',
    {
      config: { access: 'recordings administrator', recentSignIn: { when: changesAccessLevels } },
      schema: { body: recordingSettings, response: { 200: recordingSettings } },
    },
    (request) => saveRecordingSettings(db, request.author, request.body),
  )
  // One line of JSON per file, streamed, so that a folder of thousands shows progress.
  app.post(
    '/import',
    { config: { access: `command ${importCommand}` }, schema: { hide: true, body: folderInput } },
    async (request, reply) => {
      const { folder } = request.body
      await listFiles(folder).catch(() => {
        throw new Invalid('This folder cannot be read by the product.')
      })
      const context = { db, storage: openStorage(config), workFolder: incomingFolder(config), author: request.author }
      async function* jsonLines() {
        for await (const outcome of importFolder(context, folder)) yield `${JSON.stringify(outcome)}\n`
      }
      return reply.type('application/x-ndjson').send(Readable.from(jsonLines()))
    },
  )
}

/** True where a save changes who may play, download or delete calls. */
async function changesAccessLevels({ server, body }: FastifyRequest) {
  const [stored, wanted] = [await findRecordingSettings(server.db), body as RecordingSettings]
  return (['play', 'download', 'delete'] as const).some((what) => stored[what] !== wanted[what])
}
