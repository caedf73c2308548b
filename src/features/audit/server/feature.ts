import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { idParam } from '#src/lib/schemas.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { decryptEntries } from '#src/server/audit-log/audit-log.ts'
import { readFormerEntries, verifyFormerJournals } from '#src/server/audit-log/former-journals.ts'
import { formerJournals } from '#src/server/audit-log/former-journals-table.ts'
import { readPublished } from '#src/server/audit-log/published.ts'
import { findVerifiedEntry, storeVerifiedEntry, verifyAuditLog } from '#src/server/audit-log/verify.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { Verification } from '../contract.ts'
import { auditChange, auditEntry, auditFilter, formerJournal, verification, verificationQuery } from '../contract.ts'
import { audit } from '../feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { findAuditEntries, findLastChanges, publishAuditLogHash, restoreDeleted } from './service.ts'

const params = z.strictObject({ id: idParam })
const config = { access: 'audit read_only' } as const

/** The audit log can be read and verified, and deletions undone; no route changes an event. */
const auditRoutes: Routes = async (app) => {
  const verify = createVerifier(app)
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
  app.queue.schedule('journal-hash', '20 2 * * *', async () => {
    await publishAuditLogHash(app)
    const { broken_at: brokenAt, reason } = await verify.run('start')
    if (brokenAt !== null) app.log.error({ brokenAt, reason }, 'the audit log was altered')
    for (const { id, isIntact } of await verifyFormerJournals(app.db))
      if (!isIntact) app.log.error({ id }, 'a former audit log was altered')
  })
  app.get('/former', { config, schema: { response: { 200: z.array(formerJournal) } } }, async () => {
    const rows = await app.db.select().from(formerJournals).orderBy(desc(formerJournals.id))
    return rows.map(({ id, lines, importedAt }) => ({ id_journal: id, lines, imported_at: importedAt.toISOString() }))
  })
  app.get('/former/:id/entries.csv', { config, schema: { params } }, async (request, reply) => {
    const { id } = request.params
    if ((await app.db.$count(formerJournals, eq(formerJournals.id, id))) === 0) throw new NotFound()
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="journal-${id}.csv"`)
      .send(Readable.from(formerLines(app, id)))
  })
  const verificationSchema = { querystring: verificationQuery, response: { 200: verification } }
  app.get('/verification', { config, schema: verificationSchema }, async (request) => {
    const { from, wait } = request.query
    // Verification reads the whole log; asking how far it is does not.
    if (!verify.isRunning()) await app.limits.take('audit verification', String(request.actor.userId), { points: 6, seconds: 60 })
    return verify.run(from, wait)
  })
}

async function* formerLines({ db }: App, id: number) {
  yield `\uFEFF${csvLine(['id', 'at', 'user', 'address', 'area', 'action', 'entry', 'before', 'after'])}`
  for await (const rows of readFormerEntries(db, id)) {
    yield (await decryptEntries(db, rows, id))
      .map(({ id: number, at, userName, address, area, action, entryId, before, after }) => {
        const values = [before, after].map((value) => (value === null ? '' : JSON.stringify(value)))
        return csvLine([number, at.toISOString(), userName, address, area, action, entryId, ...values])
      })
      .join('')
  }
}

/** One verification at a time, for everybody who asks meanwhile. */
function createVerifier({ db, config: { dataDir } }: App) {
  let progress = { lines: 0, total: 0 }
  let running: Promise<Verification> | null = null

  async function start(from: 'start' | 'last') {
    const last = from === 'last' ? await findVerifiedEntry(db, dataDir) : null
    const found = await verifyAuditLog(db, readPublished(dataDir), undefined, {
      from: last,
      onProgress: (lines, total) => (progress = { lines, total }),
    })
    const { lines, brokenAt, reason, lastHash } = found
    if (brokenAt === null && lines > 0) await storeVerifiedEntry(db, dataDir, found)
    const result = { lines, broken_at: brokenAt, reason, last_hash: lastHash }
    return { ...result, is_complete: true, total: lines, lines_before: last?.lines ?? 0 }
  }

  return {
    isRunning: () => running !== null,
    /** The result, or after `wait` seconds how far it is. */
    async run(from: 'start' | 'last', wait?: number): Promise<Verification> {
      if (!running) {
        progress = { lines: 0, total: 0 }
        running = start(from).finally(() => (running = null))
        // Whoever asked may have left.
        running.catch(() => undefined)
      }
      if (wait === undefined) return running
      const done = new AbortController()
      const isEarly = pause(wait * 1_000, null, { signal: done.signal }).catch(() => null)
      const found = await Promise.race([running, isEarly]).finally(() => done.abort())
      return found ?? { ...progress, broken_at: null, reason: null, last_hash: '', is_complete: false, lines_before: 0 }
    },
  }
}

export const auditServer = serverFeature(audit, {
  api: { '/api/audit': auditRoutes },
  counter: {
    shape: { changes: z.array(auditChange) },
    find: async (app, { rights }) => (hasRight(rights, 'audit', 'read_only') ? { changes: await findLastChanges(app) } : {}),
  },
})
