import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden } from '../problems.ts'
import { isSecure, readPrivateCookie } from './private-cookies.ts'
import { isSigned, sign } from './signatures.ts'

export const xsrfCookie = 'XSRF-TOKEN'
export const xsrfHeader = 'x-xsrf-token'
export const sessionCookie = 'guichet_session'

/** Responses that carry a new token; the cookie is written when they are sent. */
const issued = new WeakSet<FastifyReply>()

export const setsToken = (reply: FastifyReply) => issued.has(reply)

/** About 10 MB at most. */
const maxKnown = 10_000
const longestKnown = 1_000

const purpose = 'xsrf'

/**
 * A token is `<browser id>.<HMAC of that id and of the session cookie>`: it proves that this server issued it to this browser,
 * and expires when the session changes.
 */
export function createXsrf(secret: string) {
  const isGood = (token: string | undefined, session: string) => {
    const [browser, signature, ...rest] = token?.split('.') ?? []
    return browser && signature && rest.length === 0 ? isSigned(signature, secret, purpose, browser, session) : false
  }

  /** Cookie headers whose token was verified: the same browser sends many requests. */
  const known = new Set<string>()

  const issue = (reply: FastifyReply, session: string, secure: boolean) => {
    issued.add(reply)
    const browser = randomBytes(18).toString('base64url')
    void reply.setCookie(xsrfCookie, `${browser}.${sign(secret, purpose, browser, session)}`, {
      path: '/',
      sameSite: 'lax',
      secure,
      domain: reply.server.config.cookieDomain,
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
      if (known.size >= maxKnown) known.clear()
      known.add(header)
    },
  }
}

export type Xsrf = ReturnType<typeof createXsrf>

/** Sends every browser its token, except with shared responses. */
export function sendTokens(app: FastifyInstance, xsrf: Xsrf, isShared: (request: FastifyRequest) => boolean = () => false) {
  app.addHook('onRequest', async (request, reply) => {
    const cookie = request.cookies[xsrfCookie]
    const session = readSessionCookie(request) ?? ''
    const { cookie: header } = request.headers
    if (isShared(request) || xsrf.isKnown(header)) return
    // The session is unknown here, so any token that is there may be that of the API.
    if (!isApiHost(request) && cookie !== undefined) return forgetOwnToken(request, reply)
    if (!xsrf.isCookieGood(cookie, session)) xsrf.issue(reply, session, isSecure(request))
    else if (header && header.length <= longestKnown) xsrf.know(header)
  })
}

/**
 * How a request proves that it comes from our own page. `token`: its token and its origin. `visitor`: the same, or a page of a
 * site that may embed the chat, without cookies. `beacon`: sent on unload, without headers, with its origin. `origin`: a form
 * without JavaScript. `secret`: nothing, the address contains a secret.
 */
export type Protection = 'token' | 'visitor' | 'beacon' | 'origin' | 'secret'

/** Throws `Forbidden` unless the request meets the protection that its route declares. */
export function checkProtection(request: FastifyRequest, protection: Protection | undefined) {
  if (protection === 'secret') return
  const isGuest = (protection === 'visitor' || protection === 'beacon') && Boolean(request.guestOrigin)
  if (isGuest || (protection === 'visitor' && isCookieless(request))) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const isNameless = protection === 'beacon' && origin === undefined && site === undefined
  if (isNameless || !isSameOrigin(request)) throw new Forbidden('This request comes from another site.')
  if (protection === 'origin' || protection === 'beacon') return
  const session = readSessionCookie(request) ?? ''
  if (!request.server.xsrf.isGood(request.cookies[xsrfCookie], request.headers[xsrfHeader], session)) {
    throw new Forbidden('The security token is missing or out of date. Reload the page and try again.')
  }
}

/** Where no header can be set (a form without JavaScript, a beacon) the origin is checked instead of the token. */
export function isSameOrigin(request: FastifyRequest) {
  const site = request.headers['sec-fetch-site']
  if (isSiblingPage(request)) return true
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const origin = request.headers.origin
  return origin === undefined || origin === requestOrigin(request) || origin === hostOrigin(request)
}

/** A page of ours that calls the API on its own host (`API_URL`). */
export function isSiblingPage({ server: { config }, headers }: FastifyRequest) {
  const { origin, 'sec-fetch-site': site } = headers
  return config.apiUrl !== undefined && origin === config.publicUrl && (site === undefined || site === 'same-site')
}

/** Where the API has its own host, only that one has the session that a token is made for. */
function isApiHost({ server: { config }, headers: { host } }: FastifyRequest) {
  return config.apiUrl === undefined || host === new URL(config.apiUrl).host
}

/** Deletes the token of the pages' host alone, from before `API_URL` was set: pages would read it instead of the other one. */
function forgetOwnToken({ headers: { cookie = '' } }: FastifyRequest, reply: FastifyReply) {
  if (cookie.split(`${xsrfCookie}=`).length > 2) void reply.clearCookie(xsrfCookie, { path: '/' })
}

/** Public origin: `PUBLIC_URL`, or else the Host header. */
export function requestOrigin(request: FastifyRequest) {
  return request.server.config.publicUrl ?? hostOrigin(request)
}

/** The origin that this request came to. */
export function hostOrigin({ protocol, headers: { host } }: FastifyRequest) {
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`
}

/** The secret of the browser's session; undefined where it has none. */
export function readSessionCookie({ server, cookies }: FastifyRequest) {
  return readPrivateCookie(server.config, cookies, sessionCookie)
}

/**
 * True for our page in a frame on another site, which gets no cookies: without credentials there is nothing to forge. `Sec-
 * Fetch-Site` proves where the call comes from.
 */
function isCookieless(request: FastifyRequest) {
  const { origin, 'sec-fetch-site': site } = request.headers
  const hasCookie = request.cookies[xsrfCookie] !== undefined || readSessionCookie(request) !== undefined
  return !hasCookie && site === 'same-origin' && origin !== undefined && isSameOrigin(request)
}
