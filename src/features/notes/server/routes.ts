import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { findNextChange, followSchedule } from '#src/features/content/server/schedule.ts'
import { mayAlso, requireShown } from '#src/features/people/sign-in/server/route-access.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { note } from '../contract.ts'
import { findNotes, findOlderNotes, noteContent, readNotes, readOlderNotes } from './service.ts'
import { notes as table } from './table.ts'

const response = { 200: z.array(note) }
/** Without a page: the notices of three months; with one, the older ones. With `drafts`, staff get all of them. */
const querystring = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000_000_000).optional(),
  drafts: z.literal('1').optional(),
})

export const noteRoutes: Routes = async (app) => {
  followSchedule(app, 'notes', () => findNextChange(app.db, table))
  app.get('/', { config: { access: 'public' }, schema: { querystring, response } }, async (request, reply) => {
    const { page, drafts } = request.query
    const wantsAll = drafts === '1' && (await mayAlso(request, 'notes', 'read_only'))
    if (page === undefined) {
      if (wantsAll) return findNotes(app.db)
      const shown = await readNotes(app)
      // An answer that depends on who asks is never stored for others.
      return drafts === '1' ? shown : sendShared(request, reply, shown, response[200])
    }
    const { notes, total } = wantsAll ? await findOlderNotes(app.db, page) : await readOlderNotes(app, page)
    return reply.header('x-total-count', total).send(notes)
  })
  registerContentRoutes(app, {
    content: noteContent,
    output: note,
    access: { read: 'public', write: 'notes read_write' },
    checkReader: (request, { state }) => requireShown(request, 'notes', state === 'open'),
  })
}
