import type { FastifyReply } from 'fastify'
import { NotFound } from '../problems.ts'
import type { App } from '../types.ts'
import { hostOrigin, isSiblingPage } from './xsrf.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Origin of the other site that may call this address, without cookies. */
    guestOrigin?: string | null
  }
}

type Allowed = { methods: string; headers: string; exposed: string }

const otherSites: Allowed = {
  methods: 'GET, POST',
  headers: 'accept, content-type',
  exposed: 'content-disposition, retry-after',
}

const ownPages: Allowed = {
  methods: 'GET, POST, PUT, PATCH, DELETE',
  headers: 'accept, content-type, upload-offset, x-xsrf-token',
  exposed: 'content-disposition, date, retry-after, x-total-count',
}

/** Where the API has its own host (`API_URL`), allows the pages' origin, and no other, to call it with its cookies. */
export function registerSiblingCors(app: App) {
  const { apiUrl, publicUrl } = app.config
  if (!apiUrl || !publicUrl) return
  app.addHook('onRequest', async (request, reply) => {
    // Pictures and sound of the administration, which browsers request without an origin.
    void reply.headers({ vary: 'origin', 'cross-origin-resource-policy': 'same-site' })
    if (!isSiblingPage(request)) return
    void reply.headers({
      'access-control-allow-origin': publicUrl,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': ownPages.exposed,
    })
    if (request.method !== 'OPTIONS') return
    return answerPreflight(reply, ownPages)
  })
}

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
      'access-control-expose-headers': otherSites.exposed,
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.method !== 'OPTIONS') return
    return answerPreflight(reply, otherSites)
  })
  // Preflight requests: no route of the scope handles OPTIONS.
  app.options('/*', { config: { access: 'public' }, schema: { hide: true } }, () => {
    throw new NotFound()
  })
}

function answerPreflight(reply: FastifyReply, { methods, headers }: Allowed) {
  return reply
    .headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headers,
      'access-control-max-age': '600',
    })
    .code(204)
    .send()
}
