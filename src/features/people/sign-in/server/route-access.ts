import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkCommand, checkCommandBody } from '#src/server/http/command-key.ts'
import { allowUpload } from '#src/server/http/request-time.ts'
import { checkProtection } from '#src/server/http/xsrf.ts'
import { checkMetricsToken } from '#src/server/observability/metrics.ts'
import { Forbidden, Limited } from '#src/server/problems.ts'
import type { Access, App, DeclaredRoute } from '#src/server/types.ts'
import type { Area, GivenLevel } from '#src/lib/rights.ts'
import { requireRight, requireSession } from './guard.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const secondsToReturn = 30

/**
 * The one place that lets requests in: what each route declares in its `config` is what is enforced, before the body is
 * read. A route that declares no access, or changes something without a declared protection, stops the start.
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

/** The methods of a route that change something. */
export const changingMethods = ({ method }: DeclaredRoute) => [method].flat().filter((one) => !safeMethods.has(one))

function admitTo(route: DeclaredRoute) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const isSafe = safeMethods.has(request.method)
    if (isSafe && route.config?.access === 'public') return done()
    admit(request, reply, route, isSafe).then(() => done(), done)
  }
}

async function admit(request: FastifyRequest, reply: FastifyReply, { config = {} }: DeclaredRoute, isSafe: boolean) {
  const { access, protection, upload } = config
  // A command signs its request, which no page of another site can.
  if (!isSafe && !isCommand(access)) checkProtection(request, protection)
  await checkAccess(request, access)
  if (access === 'stream') holdStream(request, reply)
  if (upload) allowUpload(request.raw)
}

/** Counts an answer without end until it is over; refuses one too many of an address. */
function holdStream({ ip, server }: FastifyRequest, reply: FastifyReply) {
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
