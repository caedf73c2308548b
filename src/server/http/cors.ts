import { NotFound } from '../problems.ts'
import type { App } from '../types.ts'
import { hostOrigin } from './xsrf.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Origin of the other site that may call this address, without cookies. */
    guestOrigin?: string | null
  }
}

const allowed = { methods: 'GET, POST', headers: 'accept, content-type', exposed: 'retry-after', cacheSeconds: '600' }

/**
 * Allows CORS requests from some other sites to the routes of this scope, without credentials. Other origins get no CORS
 * headers.
 */
export function registerCors(app: App, findOrigins: () => Promise<readonly string[]>) {
  app.decorateRequest('guestOrigin', null)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('vary', 'origin')
    const { origin } = request.headers
    if (origin === undefined || origin === hostOrigin(request)) return
    if (!(await findOrigins()).includes(origin)) return
    request.guestOrigin = origin
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': allowed.exposed,
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.method !== 'OPTIONS') return
    return reply
      .headers({
        'access-control-allow-methods': allowed.methods,
        'access-control-allow-headers': allowed.headers,
        'access-control-max-age': allowed.cacheSeconds,
      })
      .code(204)
      .send()
  })
  // Preflight requests: no route of the scope handles OPTIONS.
  app.options('/*', { config: { access: 'public' }, schema: { hide: true } }, () => {
    throw new NotFound()
  })
}
