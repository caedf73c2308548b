import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { serverFeature } from '#src/features/content/server/feature.ts'
import type { Routes } from '#src/server/types.ts'
import { dataExport, exportParams } from '../contract.ts'
import { exportsFeature } from '../feature.ts'
import {
  endExports,
  exportHours,
  findExport,
  findExports,
  noteFetched,
  openExport,
  startExport,
  stopExport,
  takeExport,
} from './service.ts'
import { dataExports } from './table.ts'

const access = { access: 'company administrator' } as const
const endsAfterMs = exportHours * 3_600_000

/** `/api/exports/exports`: archives of everything, each for the user who asked for it. */
const exportRoutes: Routes = async (app) => {
  app.queue.recur({ most: 1, take: (_count, stopping) => takeExport(app, stopping) })
  app.queue.schedule('exports-end', '10 * * * *', async () => {
    await endExports(app, new Date(Date.now() - endsAfterMs), 1_000)
  })
  const schema = { params: exportParams, response: { 200: dataExport } }
  app.get('/exports', { config: access, schema: { response: { 200: z.array(dataExport) } } }, (request) =>
    findExports(app, request.actor.userId),
  )
  app.post(
    '/exports',
    { config: { ...access, recentSignIn: true }, schema: { response: { 201: dataExport } } },
    async (request, reply) => reply.code(201).send(await startExport(app, request.author, request.actor.userId)),
  )
  app.get('/exports/:id', { config: access, schema }, (request) => findExport(app, request.actor.userId, request.params.id))
  app.post('/exports/:id/stop', { config: access, schema }, (request) => stopExport(app, request.actor.userId, request.params.id))
  app.get('/exports/:id/file', { config: access, schema: { params: exportParams } }, async (request, reply) => {
    const { id } = request.params
    const { path, name, bytes } = await openExport(app, request.actor.userId, id)
    void reply
      .type('application/zip')
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${name}"`)
    if (request.method === 'HEAD') return reply.send()
    // A download that breaks off can be tried again.
    reply.raw.once('finish', () => {
      noteFetched(app, request.author, id).catch((error: unknown) => request.log.error({ err: error }, 'an export was fetched'))
    })
    return reply.send(createReadStream(path))
  })
}

export const exportsServer = serverFeature(exportsFeature, {
  api: { '/api/exports': exportRoutes },
  tableEnds: [
    {
      tables: [dataExports],
      label: { fr: 'Exportations', en: 'Exports' },
      days: 1,
      purge: (app, before, limit) => endExports(app, before, limit),
    },
  ],
})
