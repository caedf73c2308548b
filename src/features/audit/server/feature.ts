import { z } from 'zod'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { idParam } from '#src/lib/schemas.ts'
import { readPublished } from '#src/server/audit-log/published.ts'
import { verifyAuditLog } from '#src/server/audit-log/verify.ts'
import type { Routes } from '#src/server/types.ts'
import { auditEntry, auditFilter, verification } from '../contract.ts'
import { audit } from '../feature.ts'
import { findAuditEntries, publishAuditLogHash, restoreDeleted } from './service.ts'

const params = z.strictObject({ id: idParam })
const config = { access: 'audit read_only' } as const

/** The audit log can be read and verified, and deletions undone; no route changes an event. */
const auditRoutes: Routes = async (app) => {
  const { db } = app
  const schema = { querystring: auditFilter, response: { 200: z.array(auditEntry) } }
  app.get('/entries', { config, schema }, async (request, reply) => {
    const { rows, total } = await findAuditEntries(app, request.query)
    return reply.header('x-total-count', total).send(rows)
  })
  app.post('/entries/:id/restore', { config, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await restoreDeleted(app, request.author, request.actor.rights, request.params.id)
    return reply.code(204).send(null)
  })
  // Before the nightly backup, so that the backup contains the hash.
  app.queue.schedule('journal-hash', '20 2 * * *', () => publishAuditLogHash(app))
  app.get('/verification', { config, schema: { response: { 200: verification } } }, async (request) => {
    // Verification reads the whole log.
    await app.limits.take('audit verification', String(request.actor.userId), { points: 6, seconds: 60 })
    const { lines, brokenAt, reason, lastHash } = await verifyAuditLog(db, readPublished(app.config.dataDir))
    return { lines, broken_at: brokenAt, reason, last_hash: lastHash }
  })
}

export const auditServer = serverFeature(audit, {
  api: { '/api/audit': auditRoutes },
})
