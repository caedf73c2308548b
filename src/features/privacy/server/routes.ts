import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { translator } from '#src/lib/language/texts.ts'
import { idParam } from '#src/lib/schemas.ts'
import { applyErasures, writeErasures } from '#src/server/erasures/erasures.ts'
import type { Routes } from '#src/server/types.ts'
import {
  demand,
  demandInput,
  eraseInput,
  erasure,
  exportInput,
  personalDataFound,
  incident,
  incidentInput,
  personInput,
  registerQuery,
  retentionInput,
  retentionPeriod,
  tableEnding,
} from '../contract.ts'
import { createDemand, exportDemands, findAllDemands, findDemand, updateDemand } from './demands.ts'
import { createIncident, exportIncidents, findAllIncidents, findIncident, updateIncident } from './incidents.ts'
import { erasePersonalData, exportPersonalData, searchPersonalData } from './person.ts'
import { privacyTexts } from '../texts.ts'
import { today } from './register-days.ts'
import { applyRetention, findRetentionPeriods, findTableEnds, saveRetentionPeriods } from './retention.ts'

const params = z.strictObject({ id: idParam })
const read = { access: 'privacy read_only' } as const
const write = { access: 'privacy read_write' } as const
const sensitive = { config: { ...write, recentSignIn: true } } as const
const searches = { points: 60, seconds: 600 }

/** The schema lets exactly one of them through. */
const textOf = ({ q, email }: { q?: string | undefined; email?: string | undefined }) => q ?? email ?? ''

/** Requirements of Law 25, for personal data of every area. What is searched for is sent in bodies, since URLs are logged. */
export const privacyRoutes: Routes = async (app) => {
  const { db } = app
  const { dataDir } = app.config
  app.addHook('onReady', async () => {
    const erased = await applyErasures(db, dataDir, app.personalData)
    if (erased > 0) app.log.info({ erased }, 'erased again what a restored backup brought back')
    await writeErasures(db, dataDir)
  })
  app.queue.schedule('retention', '40 3 * * *', async () => {
    const { purged, failed } = await applyRetention(app)
    app.log.info({ purged, failed }, 'retention applied')
    // The queue tries again.
    if (failed.length > 0) throw new Error(`retention failed: ${failed.join(', ')}`)
  })

  app.post(
    '/search',
    { config: write, schema: { body: personInput, response: { 200: z.array(personalDataFound) } } },
    async (request) => {
      await app.limits.take('privacy-search', String(request.actor.userId), searches)
      return searchPersonalData(app, request.author, textOf(request.body))
    },
  )
  app.post('/export', { ...sensitive, schema: { body: exportInput } }, async (request, reply) => {
    const { format } = request.body
    const file = await exportPersonalData(app, request.author, { ...request.body, text: textOf(request.body) })
    return reply
      .type(format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="renseignements.${format}"`)
      .serializer((body: unknown) => body as string)
      .send(file)
  })
  app.post('/erase', { ...sensitive, schema: { body: eraseInput, response: { 200: erasure } } }, (request) =>
    erasePersonalData(app, request.author, { ...request.body, text: textOf(request.body) }),
  )
  app.get('/retention', { config: read, schema: { response: { 200: z.array(retentionPeriod) } } }, () =>
    findRetentionPeriods(app),
  )

  app.put(
    '/retention',
    {
      config: { access: 'privacy administrator' },
      schema: { body: retentionInput, response: { 200: z.array(retentionPeriod) } },
    },
    (request) => saveRetentionPeriods(app, request.author, request.body),
  )

  app.get('/tables', { config: read, schema: { response: { 200: z.array(tableEnding) } } }, async () => findTableEnds(app))

  app.get('/incidents', { config: read, schema: { response: { 200: z.array(incident) } } }, () => findAllIncidents(db))
  app.get('/incidents.csv', { config: read, schema: { querystring: registerQuery } }, async ({ query: { language } }, reply) =>
    sendRegister(reply, translator(privacyTexts, language)('incidentsFile'), await exportIncidents(db, language)),
  )
  app.get('/incidents/:id', { config: read, schema: { params, response: { 200: incident } } }, (request) =>
    findIncident(db, request.params.id),
  )
  app.post(
    '/incidents',
    { config: write, schema: { body: incidentInput, response: { 201: incident } } },
    async (request, reply) => reply.code(201).send(await createIncident(db, request.author, request.body)),
  )
  app.put('/incidents/:id', { config: write, schema: { params, body: incidentInput, response: { 200: incident } } }, (request) =>
    updateIncident(db, request.author, request.params.id, request.body),
  )

  app.get('/demands', { config: read, schema: { response: { 200: z.array(demand) } } }, () => findAllDemands(db))
  app.get('/demands.csv', { config: read, schema: { querystring: registerQuery } }, async ({ query: { language } }, reply) =>
    sendRegister(reply, translator(privacyTexts, language)('demandsFile'), await exportDemands(db, language)),
  )
  app.get('/demands/:id', { config: read, schema: { params, response: { 200: demand } } }, (request) =>
    findDemand(db, request.params.id),
  )
  app.post('/demands', { config: write, schema: { body: demandInput, response: { 201: demand } } }, async (request, reply) =>
    reply.code(201).send(await createDemand(db, request.author, request.body)),
  )
  app.put('/demands/:id', { config: write, schema: { params, body: demandInput, response: { 200: demand } } }, (request) =>
    updateDemand(db, request.author, request.params.id, request.body),
  )
}

function sendRegister(reply: FastifyReply, name: string, csv: string) {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}-${today()}.csv"`)
    .send(csv)
}
