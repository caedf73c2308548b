import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import { verifyJournal } from '#src/server/journal/journal.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { journalEntry, journalFilter, verification } from '../contract.ts'
import { findJournal, restoreDeleted } from './service.ts'

const params = z.strictObject({ id: idParam })
const mayRead = needs('audit', 'read_only')

/** The journal (contract.md 4): read, checked, and deletions undone; nothing here can change a line. */
export const auditRoutes: Routes = async (app) => {
  const { db, events } = app
  const schema = { querystring: journalFilter, response: { 200: z.array(journalEntry) } }
  app.get('/entries', { onRequest: mayRead, schema }, async (request, reply) => {
    const { rows, total } = await findJournal(db, request.query)
    return reply.header('x-total-count', total).send(rows)
  })
  app.post(
    '/entries/:id/restore',
    { onRequest: mayRead, schema: { params, response: { 204: z.null() } } },
    async (request, reply) => {
      await restoreDeleted({ db, events }, request.author, request.actor.rights, request.params.id)
      return reply.code(204).send(null)
    },
  )
  app.get('/verification', { onRequest: mayRead, schema: { response: { 200: verification } } }, async (request) => {
    // It reads every line there is.
    await app.limits.take('audit verification', String(request.actor.userId), { points: 6, seconds: 60 })
    const { lines, brokenAt, lastHash } = await verifyJournal(db)
    return { lines, broken_at: brokenAt, last_hash: lastHash }
  })
}
