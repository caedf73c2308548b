import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import './cors.ts'
import { Forbidden } from '../problems.ts'
import { isSigned, sign } from './signatures.ts'

export const xsrfCookie = 'XSRF-TOKEN'
export const xsrfHeader = 'x-xsrf-token'
export const sessionCookie = 'guichet_session'

/** The answers that carry a new token; the cookie itself is written only as they leave. */
const issued = new WeakSet<FastifyReply>()

export const givesToken = (reply: FastifyReply) => issued.has(reply)

/** About 10 MB at most. */
const mostKnown = 10_000
const longestKnown = 1_000

const purpose = 'xsrf'
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A token is `<browser id>.<HMAC of that id and of the session cookie>`: it proves that this server gave it
 * to this browser, and it stops being good when the session changes (contract.md 1).
 */
export function createXsrf(secret: string) {
  const isGood = (token: string | undefined, session: string) => {
    const [browser, signature, ...rest] = token?.split('.') ?? []
    return browser && signature && rest.length === 0 ? isSigned(signature, secret, purpose, browser, session) : false
  }

  /** Whole cookie headers whose token was found good: the same browser asks many times. */
  const known = new Set<string>()

  const issue = (reply: FastifyReply, session: string, secure: boolean) => {
    issued.add(reply)
    const browser = randomBytes(18).toString('base64url')
    void reply.setCookie(xsrfCookie, `${browser}.${sign(secret, purpose, browser, session)}`, {
      path: '/',
      sameSite: 'lax',
      secure,
    })
  }

  return {
    issue,
    /** True where the header equals the cookie and this server signed it for this browser and session. */
    isGood: (cookie: string | undefined, header: unknown, session: string) =>
      typeof header === 'string' && header === cookie && isGood(cookie, session),
    isCookieGood: isGood,
    isKnown: (header: string | undefined) => header !== undefined && known.has(header),
    know(header: string) {
      if (known.size >= mostKnown) known.clear()
      known.add(header)
    },
  }
}

export type Xsrf = ReturnType<typeof createXsrf>

/** Gives every browser its token and refuses API writes that do not carry it. */
export function registerXsrf(app: FastifyInstance, xsrf: Xsrf) {
  app.addHook('onRequest', async (request, reply) => {
    const cookie = request.cookies[xsrfCookie]
    const session = request.cookies[sessionCookie] ?? ''
    const { cookie: header } = request.headers
    if (!isForMany(request) && !xsrf.isKnown(header)) {
      if (!xsrf.isCookieGood(cookie, session)) xsrf.issue(reply, session, isSecure(request))
      else if (header && header.length <= longestKnown) xsrf.know(header)
    }
    if (!needsToken(request) || request.guestOrigin || isCookieless(request)) return
    if (!isSameOrigin(request)) throw new Forbidden('This request comes from another site.')
    if (!xsrf.isGood(cookie, request.headers[xsrfHeader], session)) {
      throw new Forbidden('The security token is missing or out of date. Reload the page and try again.')
    }
  })
}

/** Where scripts cannot set headers (a form without JavaScript, a beacon) the origin stands for the token. */
export function isSameOrigin(request: FastifyRequest) {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const origin = request.headers.origin
  return origin === undefined || origin === requestOrigin(request) || origin === `${request.protocol}://${request.host}`
}

export function requestOrigin(request: FastifyRequest) {
  return request.server.config.publicUrl ?? `${request.protocol}://${request.host}`
}

export function isSecure(request: FastifyRequest) {
  return requestOrigin(request).startsWith('https:')
}

/**
 * A page of ours in a frame on another site, to which browsers give no cookies: with nothing that says who asks,
 * there is nothing to forge. The browser itself vouches for where the call comes from.
 */
function isCookieless(request: FastifyRequest) {
  const { origin, 'sec-fetch-site': site } = request.headers
  const hasCookie = request.cookies[xsrfCookie] !== undefined || request.cookies[sessionCookie] !== undefined
  return (
    request.url.startsWith('/public_api/') &&
    !hasCookie &&
    site === 'same-origin' &&
    origin !== undefined &&
    isSameOrigin(request)
  )
}

/**
 * A page that a CDN asks for (RFC 8586) goes to many browsers: none may get another's token with it. Each gets its own
 * from the first answer of the API, which is not shared.
 */
function isForMany({ headers, method, url }: FastifyRequest) {
  const isPage = !/^\/(admin|api|public_api)(\/|$|\?)/.test(url)
  return headers['cdn-loop'] !== undefined && isPage && safeMethods.has(method)
}

function needsToken(request: FastifyRequest) {
  if (safeMethods.has(request.method)) return false
  if (request.routeOptions.config.xsrf === 'origin') return false
  const path = request.url.split('?', 1)[0] ?? ''
  return path === '/api' || path.startsWith('/api/') || path.startsWith('/public_api/')
}
