import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Area, GivenLevel, Level } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { checkCommand, checkCommandBody } from '#src/server/http/command-key.ts'
import { allowUpload } from '#src/server/http/request-time.ts'
import { checkProtection, readSessionCookie } from '#src/server/http/xsrf.ts'
import { checkMetricsToken } from '#src/server/observability/metrics.ts'
import '#src/server/audit-log/audit-log.ts'
import { Forbidden, Limited, NotConnected, NotFound } from '#src/server/problems.ts'
import type { Access, App, DeclaredRoute } from '#src/server/types.ts'
import type { Actor } from './sessions.ts'
import { findActor } from './sessions.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const secondsToReturn = 30

/**
 * Enforces the access that each route declares in its `config`, before the body is read. A route without declared access, or
 * one that writes without declared protection, stops the start.
 */
export function enforceRouteAccess(app: App) {
  const routes: DeclaredRoute[] = []
  app.decorate('declaredRoutes', routes)
  app.addHook('onRoute', (route) => {
    routes.push(route)
    route.onRequest = [admitTo(route), ...[route.onRequest ?? []].flat()]
    if (isCommand(route.config?.access)) route.preParsing = [checkCommandBody, ...[route.preParsing ?? []].flat()]
  })
  app.addHook('onReady', async () => refuseUndeclared(routes))
}

/** Methods of a route that write. */
const changingMethods = ({ method }: DeclaredRoute) => [method].flat().filter((one) => !safeMethods.has(one))

function admitTo(route: DeclaredRoute) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const isSafe = safeMethods.has(request.method)
    if (isSafe && route.config?.access === 'public') return done()
    admit(request, reply, route, isSafe).then(() => done(), done)
  }
}

async function admit(request: FastifyRequest, reply: FastifyReply, { config = {} }: DeclaredRoute, isSafe: boolean) {
  const { access, protection, upload } = config
  // Commands sign their requests, which a page of another site cannot.
  if (!isSafe && !isCommand(access)) checkProtection(request, protection)
  await checkAccess(request, access)
  if (access === 'stream') countStream(request, reply)
  if (upload) allowUpload(request.raw)
}

/** Counts an endless response until it is closed; rejects one above the limit of an address. */
function countStream({ ip, server }: FastifyRequest, reply: FastifyReply) {
  const release = server.streams.take(ip)
  if (!release) throw new Limited(secondsToReturn, 'Too many live streams from this address.')
  reply.raw.once('close', release)
  if (reply.raw.destroyed) release()
}

async function checkAccess(request: FastifyRequest, access: Access | undefined) {
  if (access === undefined) throw new Forbidden()
  if (access === 'public' || access === 'stream') return
  if (access === 'signed-in') return requireSession(request)
  if (access === 'metrics') return checkMetricsToken(request)
  if (isCommand(access)) return checkCommand(request, access.slice(commandPrefix.length))
  if (typeof access === 'object') {
    await requireSession(request)
    return requireRight(request.actor, access.area, await access.findLevel(request.server.db))
  }
  const [area, level] = access.split(' ') as [Area, GivenLevel]
  await requireSession(request)
  requireRight(request.actor, area, level)
}

const commandPrefix = 'command '

export function isCommand(access: Access | undefined): access is `command ${string}` {
  return typeof access === 'string' && access.startsWith(commandPrefix)
}

function refuseUndeclared(routes: readonly DeclaredRoute[]) {
  const nameOf = ({ method, url }: DeclaredRoute) => `${[method].flat().join('|')} ${url}`
  const open = routes.filter(({ config }) => config?.access === undefined)
  if (open.length > 0) throw new Error(`These routes do not declare who may use them (config.access): ${list(open, nameOf)}.`)
  const unprotected = routes.filter(
    (route) => changingMethods(route).length > 0 && !route.config?.protection && !isCommand(route.config?.access),
  )
  if (unprotected.length > 0) {
    throw new Error(`These routes change something and declare no protection (config.protection): ${list(unprotected, nameOf)}.`)
  }
  const guessable = routes.filter(({ url, config }) => config?.protection === 'secret' && !url.includes(':'))
  if (guessable.length > 0) throw new Error(`These routes have no secret in their address: ${list(guessable, nameOf)}.`)
}

const list = <T>(all: readonly T[], nameOf: (one: T) => string) => all.map(nameOf).join(', ')

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; set before the handler of every route whose access is not `public`. */
    actor: Actor
  }
}

/** Sets `request.actor` and `request.author`; throws `NotConnected` when nobody is signed in. */
async function requireSession(request: FastifyRequest) {
  const actor = await findActor(request.server.db, readSessionCookie(request))
  if (!actor) throw new NotConnected()
  request.actor = actor
  request.author = { userId: actor.userId, name: actor.displayName, address: request.ip }
}

/** Throws `Forbidden` where a user lacks a right; used by routes and socket events. */
export function requireRight(actor: Actor, area: Area, level: Level) {
  if (actor.mustSetUpTotp) throw new Forbidden('Set up two-factor authentication in your profile first.')
  if (!hasRight(actor.rights, area, level)) throw new Forbidden()
}

/** For public routes: an entry that visitors do not see is not found, except by those who may read its area. */
export async function requireShown(request: FastifyRequest, area: Area, isShown: boolean) {
  if (!isShown && !(await mayAlso(request, area, 'read_only'))) throw new NotFound('This entry does not exist.')
}

/** For public routes: true where the caller is signed in with at least this level on this area. */
export async function mayAlso(request: FastifyRequest, area: Area, level: Level) {
  const actor = await findActor(request.server.db, readSessionCookie(request))
  return actor !== null && !actor.mustSetUpTotp && hasRight(actor.rights, area, level)
}
