import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { note } from '../contract.ts'
import { noteContent, readNotes } from './service.ts'

const response = { 200: z.array(note) }

export const noteRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response } }, async (request, reply) =>
    sendShared(request, reply, await readNotes(app), response[200]),
  )
  registerContentRoutes(app, {
    content: noteContent,
    output: note,
    access: { read: 'public', write: 'notes read_write' },
  })
}
