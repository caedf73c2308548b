import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, { LogController } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { company } from '#company/company.ts'
import { auditRoutes } from '#src/features/audit/server/routes.ts'
import { meRoutes } from '#src/features/people/account/server/me-routes.ts'
import { enforceRecentSignIn } from '#src/features/people/sign-in/server/recent-sign-in.ts'
import { enforceRouteAccess } from '#src/features/people/sign-in/server/route-access.ts'
import { authRoutes } from '#src/features/people/sign-in/server/routes.ts'
import { cannedRoutes, consoleRoutes } from '#src/features/chat/server/console-routes.ts'
import { chatData } from '#src/features/chat/server/personal-data.ts'
import { chatEmbedRoutes } from '#src/features/chat/server/embed-routes.ts'
import { staffFileRoutes } from '#src/features/chat/server/files.ts'
import { chatFiguresRoutes } from '#src/features/chat/server/reports.ts'
import { chatRoutes } from '#src/features/chat/server/routes.ts'
import { findChatSettings, chatSettingsRoutes } from '#src/features/chat/server/settings.ts'
import { chatFramePath } from '#src/features/chat/keys.ts'
import { employeeData } from '#src/features/employees/server/personal-data.ts'
import { employeeRoutes } from '#src/features/employees/server/routes.ts'
import { groupRoutes } from '#src/features/people/groups/server/routes.ts'
import { homeInformationRoutes, homeMessageRoutes } from '#src/features/home/server/routes.ts'
import { jobRoutes } from '#src/features/jobs/server/routes.ts'
import { feedRoutes } from '#src/features/networks/server/feed.ts'
import { networkRoutes } from '#src/features/networks/server/routes.ts'
import { noteRoutes } from '#src/features/notes/server/routes.ts'
import { journalData, mailData } from '#src/features/privacy/server/product-data.ts'
import { privacyRoutes } from '#src/features/privacy/server/routes.ts'
import { requestData } from '#src/features/requests/server/personal-data.ts'
import { recordingData } from '#src/features/recordings/server/personal-data.ts'
import { recordingRoutes } from '#src/features/recordings/server/routes.ts'
import { recordingSettingsRoutes } from '#src/features/recordings/server/settings-routes.ts'
import { mailerRoutes, requestRoutes } from '#src/features/requests/server/routes.ts'
import { downloadRoutes, videoRoutes } from '#src/features/pages/server/downloads.ts'
import { siteRoutes } from '#src/features/pages/server/routes.ts'
import { createSite, findEmbedOrigins } from '#src/features/pages/server/service.ts'
import { stateRoutes } from '#src/features/health/server/routes.ts'
import { translationRoutes } from '#src/features/content/translations/server/routes.ts'
import { calendarRoutes } from '#src/features/updates/server/calendar.ts'
import { updateRoutes } from '#src/features/updates/server/routes.ts'
import { userData } from '#src/features/people/users/server/personal-data.ts'
import { userRoutes } from '#src/features/people/users/server/routes.ts'
import { backupRoutes } from '#src/server/backup/routes.ts'
import type { Config } from '#src/server/config.ts'
import { joinCluster } from '#src/server/cluster/cluster.ts'
import { createContentCache } from '#src/server/cache/content-cache.ts'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { sweepDeadRows } from '#src/server/database/upkeep.ts'
import { createEvents } from '#src/server/live/events.ts'
import { createFrontCache, registerFrontCache } from '#src/server/cache/front-cache.ts'
import { healthRoutes } from '#src/server/observability/health.ts'
import { proxyTrust } from '#src/server/http/addresses.ts'
import { registerHostCheck } from '#src/server/http/host.ts'
import { createLimits } from '#src/server/http/limits.ts'
import { liveRoutes } from '#src/server/live/live.ts'
import { logger } from '#src/server/log.ts'
import { createMailer } from '#src/server/background/mail.ts'
import { createMetrics, metricsRoutes } from '#src/server/observability/metrics.ts'
import { registerPages } from '#src/server/pages/pages.ts'
import { pictureRoutes } from '#src/features/content/server/pictures.ts'
import { createOpenCounter } from '#src/server/http/open-counter.ts'
import { checkInterval, limitRequestTime } from '#src/server/http/request-time.ts'
import { handleError, NotFound, sendProblem } from '#src/server/problems.ts'
import { createQueue } from '#src/server/background/queue.ts'
import { createRealtime } from '#src/server/live/realtime.ts'
import { watchSamples } from '#src/server/observability/samples.ts'
import { registerSecurityHeaders } from '#src/server/http/security-headers.ts'
import { serveBuiltSite, serveDevelopmentSite } from '#src/server/pages/site-build.ts'
import { traceRequests } from '#src/server/observability/tracing.ts'
import type { App } from '#src/server/types.ts'
import { createXsrf, giveTokens } from '#src/server/http/xsrf.ts'
import { discoveryRoutes } from './discovery/discovery-routes.ts'
import { createPageServices } from './page-services.ts'

export type Site = 'built' | 'development' | 'none'

/** Connections that the system holds until they are taken: after a restart everybody comes back at one moment. */
export const backlog = 4_096

/** Composes the product on an open, migrated database; it does not listen yet. */
export async function buildApp(config: Config, database: OpenDatabase, site: Site = 'built'): Promise<App> {
  const app: App = Fastify<Server>({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: proxyTrust(config.trustProxy),
    bodyLimit: 128 * 1024,
    http: { connectionsCheckingInterval: checkInterval(config.requestTimeoutS) },
    forceCloseConnections: 'idle',
    // What fails before a route is found, such as an address that cannot be decoded.
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    routerOptions: { querystringParser: parseQuery, maxParamLength: 200 },
  }).withTypeProvider<ZodTypeProvider>()
  // Fastify would take it as a text; JSON must say that it is JSON (a page of another site cannot).
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new NotFound()))

  const cluster = await joinCluster(config)
  const queue = createQueue(database)
  if (database.kind === 'pglite') queue.schedule('database-upkeep', '10 4 * * *', () => sweepDeadRows(database))
  const metrics = createMetrics(config.metricsToken !== undefined)
  app.decorate('cluster', cluster)
  app.decorate('config', config)
  app.decorate('db', database.db)
  app.decorate('events', createEvents(cluster))
  app.decorate('content', createContentCache(app.events, app.log))
  app.decorate('limits', createLimits(cluster))
  app.decorate('metrics', metrics)
  app.decorate('personalData', [recordingData, requestData, chatData, mailData, employeeData, userData, journalData])
  app.decorate('queue', queue)
  app.decorate(
    'mailer',
    createMailer(database.db, queue, config, { defaultFrom: company.emails.support, onFailure: metrics.mailFailed }),
  )
  app.decorate(
    'streams',
    createOpenCounter(config.maxStreamsPerAddress, () => metrics.refused('streams_per_address')),
  )
  app.decorate('xsrf', createXsrf(config.secret))
  app.decorate('front', createFrontCache(app.content, app.xsrf, metrics))
  // Before the sockets, which look at each request first. A collector of traces is told of all by the usual way.
  if (!config.tracesUrl) registerFrontCache(app)
  app.decorate('realtime', createRealtime(app.server, config, cluster, metrics))
  limitRequestTime(app.server, config.requestTimeoutS, metrics)
  app.decorate('site', createSite(config))
  app.decorate('siteBuild', { version: null })
  app.decorate('samples', watchSamples(app))
  app.addHook('preClose', async () => app.realtime.stop())
  // What closes is called in the reverse order: what the queue ends while it stops is still told.
  await traceRequests(app)
  app.addHook('onClose', async () => {
    await queue.stop()
    app.mailer.close()
    await cluster.close()
  })

  registerHostCheck(app)
  await app.register(cookie)
  await registerSecurityHeaders(app)
  registerRequestLog(app)
  enforceRouteAccess(app)
  enforceRecentSignIn(app)
  // In the root's own scope: its hook times the requests of every scope after it.
  await metricsRoutes(app)
  await app.register(healthRoutes)
  await app.register(pictureRoutes, { prefix: '/media' })
  await app.register(discoveryRoutes)
  await app.register(chatEmbedRoutes, { prefix: '/webchat' })
  await app.register(downloadRoutes, { prefix: '/downloads' })
  await app.register(videoRoutes, { prefix: '/videos' })
  await app.register(feedRoutes, { prefix: '/reseau' })
  await app.register(calendarRoutes, { prefix: '/reseau' })
  await app.register(registerApi)
  await registerSite(app, site)
  return app
}

/** All but TRACE, which would send a browser's headers back to it. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

async function registerApi(app: App) {
  giveTokens(app, app.xsrf)
  // Every change here is protected by the token, unless its route declares something else.
  app.addHook('onRoute', (route) => {
    route.config = { protection: 'token', ...route.config }
  })
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })
  await app.register(swagger, {
    openapi: { info: { title: 'Guichet', version: '1', description: 'REST API of the site and its administration' } },
    transform: jsonSchemaTransform,
  })
  await app.register(authRoutes, { prefix: '/api/auth' })
  await app.register(meRoutes, { prefix: '/api/auth/me' })
  await app.register(userRoutes, { prefix: '/api/users/users' })
  await app.register(groupRoutes, { prefix: '/api/groups/groups' })
  await app.register(chatRoutes, { prefix: '/public_api/chat' })
  await app.register(consoleRoutes, { prefix: '/api/chat' })
  await app.register(cannedRoutes, { prefix: '/api/chat/canned_replies' })
  await app.register(staffFileRoutes, { prefix: '/api/chat/files' })
  await app.register(chatFiguresRoutes, { prefix: '/api/chat/figures' })
  await app.register(chatSettingsRoutes, { prefix: '/api/chat/settings' })
  await app.register(employeeRoutes, { prefix: '/api/employees/employes' })
  await app.register(jobRoutes, { prefix: '/api/jobs/emplois' })
  await app.register(homeMessageRoutes, { prefix: '/api/home_messages/home_message' })
  await app.register(homeInformationRoutes, { prefix: '/api/home_informations/home_information' })
  await app.register(networkRoutes, { prefix: '/api/networks/reseau' })
  await app.register(noteRoutes, { prefix: '/api/notes/notes' })
  await app.register(siteRoutes, { prefix: '/api/site' })
  await app.register(mailerRoutes, { prefix: '/api/mailer' })
  await app.register(requestRoutes, { prefix: '/api/requests/requests' })
  await app.register(recordingRoutes, { prefix: '/api/recordings/recordings' })
  await app.register(recordingSettingsRoutes, { prefix: '/api/recordings' })
  await app.register(auditRoutes, { prefix: '/api/audit' })
  await app.register(privacyRoutes, { prefix: '/api/privacy' })
  await app.register(updateRoutes, { prefix: '/api/updates' })
  await app.register(translationRoutes, { prefix: '/api/translations' })
  await app.register(backupRoutes, { prefix: '/api/backup' })
  await app.register(stateRoutes, { prefix: '/api/etat' })
  await app.register(liveRoutes, { prefix: '/api/live' })
  app.get('/api/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, () => app.swagger())
  for (const prefix of ['/api', '/public_api']) {
    const options = { config: { access: 'public' }, schema: { hide: true } } as const
    app.route({
      method: [...knownMethods],
      url: `${prefix}/*`,
      ...options,
      handler: async (_request, reply) => sendProblem(reply, new NotFound()),
    })
  }
}

async function registerSite(app: App, site: Site) {
  if (site === 'none') return
  const services = createPageServices(app)
  const loadRender = site === 'development' ? await serveDevelopmentSite(app) : await serveBuiltSite(app)
  await registerPages(app, services, loadRender, {
    players: findEmbedOrigins(),
    framed: chatFramePath,
    findAncestors: async () => (await findChatSettings(app.db)).embed_origins,
  })
}

function registerRequestLog(app: App) {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?', 1)[0]
    request.log.info({ method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  })
}

/** A repeated name becomes a list, which no schema of ours takes where it wants one text: `?id=1&id=2` is refused. */
function parseQuery(text: string) {
  const parsed: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(text)) {
    const known = parsed[name]
    parsed[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return parsed
}
