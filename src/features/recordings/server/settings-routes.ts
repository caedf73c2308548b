import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Invalid } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import type { RecordingSettings } from '../contract.ts'
import { folderInput, recordingSettings } from '../contract.ts'
import { importFolder, listFiles } from './import-folder.ts'
import { importCommand } from './import-command.ts'
import { findRecordingSettings, saveRecordingSettings } from './settings.ts'
import { incomingFolder, openStorage } from './storage.ts'

/** `/api/recordings/settings` and what the command of the person on the server asks of a product that runs. */
export const recordingSettingsRoutes: Routes = async (app) => {
  const { db, config } = app
  app.get('/settings', { config: { access: 'recordings read_only' }, schema: { response: { 200: recordingSettings } } }, () =>
    findRecordingSettings(db),
  )
  app.put(
    '/settings',
    {
      config: { access: 'recordings administrator', recentSignIn: { when: changesLevels } },
      schema: { body: recordingSettings, response: { 200: recordingSettings } },
    },
    (request) => saveRecordingSettings(db, request.author, request.body),
  )
  // One line of JSON a file: nobody waits in silence for a folder of thousands.
  app.post(
    '/import',
    { config: { access: `command ${importCommand}` }, schema: { hide: true, body: folderInput } },
    async (request, reply) => {
      const { folder } = request.body
      await listFiles(folder).catch(() => {
        throw new Invalid('This folder cannot be read by the product.')
      })
      const context = { db, storage: openStorage(config), workFolder: incomingFolder(config), author: request.author }
      async function* lines() {
        for await (const outcome of importFolder(context, folder)) yield `${JSON.stringify(outcome)}\n`
      }
      return reply.type('application/x-ndjson').send(Readable.from(lines()))
    },
  )
}

/** Whether a save changes who may play, download or delete calls. */
async function changesLevels({ server, body }: FastifyRequest) {
  const [stored, wanted] = [await findRecordingSettings(server.db), body as RecordingSettings]
  return (['play', 'download', 'delete'] as const).some((what) => stored[what] !== wanted[what])
}
