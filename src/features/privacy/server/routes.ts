import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Routes } from '#src/server/types.ts'
import {
  eraseInput,
  erasure,
  exportInput,
  personalDataFound,
  incident,
  incidentInput,
  personInput,
  retentionPeriod,
  tableEnding,
} from '../contract.ts'
import { createIncident, findAllIncidents, findIncident, updateIncident } from './incidents.ts'
import { erasePersonalData, exportPersonalData, findPersonalData } from './person.ts'
import { applyRetention, findRetentionPeriods, findTableEnds } from './service.ts'

const params = z.strictObject({ id: idParam })
const config = { access: 'audit administrator' } as const
const sensitive = { config: { ...config, recentSignIn: true } } as const
const searches = { points: 60, seconds: 600 }

/**
 * Requirements of Law 25. It shows the personal data of every area, so it requires the highest right on the audit log, whose
 * holders can see all of it already. Addresses are sent in bodies, since URLs are logged.
 */
export const privacyRoutes: Routes = async (app) => {
  const { db } = app
  app.queue.schedule('retention', '40 3 * * *', async () => {
    const { purged, failed } = await applyRetention(app)
    app.log.info({ purged, failed }, 'retention applied')
    // The queue tries again.
    if (failed.length > 0) throw new Error(`retention failed: ${failed.join(', ')}`)
  })

  app.post(
    '/search',
    { config, schema: { body: personInput, response: { 200: z.array(personalDataFound) } } },
    async (request) => {
      await app.limits.take('privacy-search', String(request.actor.userId), searches)
      return findPersonalData(app, request.body.email)
    },
  )
  app.post('/export', { ...sensitive, schema: { body: exportInput } }, async (request, reply) => {
    const { format } = request.body
    const file = await exportPersonalData(app, request.author, request.body)
    return reply
      .type(format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="renseignements.${format}"`)
      .serializer((body: unknown) => body as string)
      .send(file)
  })
  app.post('/erase', { ...sensitive, schema: { body: eraseInput, response: { 200: erasure } } }, (request) =>
    erasePersonalData(app, request.author, request.body),
  )
  app.get('/retention', { config, schema: { response: { 200: z.array(retentionPeriod) } } }, () => findRetentionPeriods(app))

  app.get('/tables', { config, schema: { response: { 200: z.array(tableEnding) } } }, async () => findTableEnds(app))

  app.get('/incidents', { config, schema: { response: { 200: z.array(incident) } } }, () => findAllIncidents(db))
  app.get('/incidents/:id', { config, schema: { params, response: { 200: incident } } }, (request) =>
    findIncident(db, request.params.id),
  )
  app.post('/incidents', { config, schema: { body: incidentInput, response: { 201: incident } } }, async (request, reply) =>
    reply.code(201).send(await createIncident(db, request.author, request.body)),
  )
  app.put('/incidents/:id', { config, schema: { params, body: incidentInput, response: { 200: incident } } }, (request) =>
    updateIncident(db, request.author, request.params.id, request.body),
  )
}
