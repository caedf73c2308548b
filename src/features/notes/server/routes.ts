import { z } from 'zod'
import { registerEntryRoutes } from '#src/features/content/server/entry-routes.ts'
import { sendShared } from '#src/server/cache/shared-answers.ts'
import type { Routes } from '#src/server/types.ts'
import { note, noteInput } from '../contract.ts'
import { noteEntries, readNotes } from './service.ts'

const response = { 200: z.array(note) }

export const noteRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response } }, async (request, reply) =>
    sendShared(request, reply, await readNotes(app), response[200]),
  )
  registerEntryRoutes(app, {
    entries: noteEntries,
    input: noteInput,
    output: note,
    access: { read: 'public', write: 'notes read_write' },
  })
}
