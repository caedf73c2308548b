import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { mayAlso, requireShown } from '#src/features/people/sign-in/server/route-access.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { network } from '../contract.ts'
import type { NetworkStatus } from '../values.ts'
import { detailStatuses } from '../values.ts'
import { isPublic, networkContent, readHeaderStatus, readNetworks } from './service.ts'

const response = { 200: z.array(network) }
/** With `drafts`, staff get the drafts too. */
const querystring = z.strictObject({ drafts: z.literal('1').optional() })

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
  app.get('/', { config: { access: 'public' }, schema: { querystring, response } }, async (request, reply) => {
    const wantsAll = request.query.drafts === '1'
    if (wantsAll && (await mayAlso(request, 'networks', 'read_only'))) return networkContent.findAll(app.db)
    const shown = await readNetworks(app)
    // An answer that depends on who asks is never stored for others.
    return wantsAll ? shown : sendShared(request, reply, shown, response[200])
  })
  registerContentRoutes(app, {
    content: networkContent,
    output: network,
    access: { read: 'public', write: 'networks read_write' },
    checkReader: (request, found) => requireShown(request, 'networks', isPublic(found)),
  })
}
