import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { note } from '../contract.ts'
import { noteContent, readNotes, readOlderNotes } from './service.ts'

const response = { 200: z.array(note) }
/** Without a page: the notices of three months; with one, the older ones. */
const querystring = z.strictObject({ page: z.coerce.number().int().min(1).max(1_000_000_000).optional() })

export const noteRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { querystring, response } }, async (request, reply) => {
    const { page } = request.query
    if (page === undefined) return sendShared(request, reply, await readNotes(app), response[200])
    const { notes, total } = await readOlderNotes(app, page)
    return reply.header('x-total-count', total).send(notes)
  })
  registerContentRoutes(app, {
    content: noteContent,
    output: note,
    access: { read: 'public', write: 'notes read_write' },
  })
}
