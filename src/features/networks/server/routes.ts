import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { network } from '../contract.ts'
import type { NetworkStatus } from '../values.ts'
import { detailStatuses } from '../values.ts'
import { networkContent, readHeaderStatus, readNetworks } from './service.ts'

const response = { 200: z.array(network) }

export const networkRoutes: Routes = async (app) => {
  app.get(
    '/status',
    { config: { access: 'public' }, schema: { response: { 200: z.enum(detailStatuses) } } },
    async (_request, reply) => {
      // Fastify sends a bare string as plain text: the answer is JSON like every other.
      const status: unknown = JSON.stringify(await readHeaderStatus(app))
      return reply.type('application/json; charset=utf-8').send(status as NetworkStatus)
    },
  )
  app.get('/', { config: { access: 'public' }, schema: { response } }, async (request, reply) =>
    sendShared(request, reply, await readNetworks(app), response[200]),
  )
  registerContentRoutes(app, {
    content: networkContent,
    output: network,
    access: { read: 'public', write: 'networks read_write' },
  })
}
