import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { network, networkInput } from '../contract.ts'
import { detailStatuses } from '../values.ts'
import { createNetwork, deleteNetwork, findAllNetworks, findHeaderStatus, findNetwork, updateNetwork } from './service.ts'

const params = z.strictObject({ id: idParam })
const canWrite = { preHandler: needs('networks', 'read_write') }

export const networkRoutes: Routes = async (app) => {
  app.get('/status', { schema: { response: { 200: z.enum(detailStatuses) } } }, () => findHeaderStatus(app.db))
  app.get('/', { schema: { response: { 200: z.array(network) } } }, () => findAllNetworks(app.db))
  app.get('/:id', { schema: { params, response: { 200: network } } }, (request) => findNetwork(app.db, request.params.id))
  app.post('/', { ...canWrite, schema: { body: networkInput, response: { 201: network } } }, async (request, reply) =>
    reply.code(201).send(await createNetwork(app, request.body)),
  )
  app.put('/:id', { ...canWrite, schema: { params, body: networkInput, response: { 200: network } } }, (request) =>
    updateNetwork(app, request.params.id, request.body),
  )
  app.delete('/:id', { ...canWrite, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await deleteNetwork(app, request.params.id)
    return reply.code(204).send(null)
  })
}
