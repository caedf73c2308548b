import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import type { FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { languages } from '#src/lib/language/language.ts'
import { enforceRecentSignIn } from '#src/features/people/sign-in/server/recent-sign-in.ts'
import { enforceRouteAccess } from '#src/features/people/sign-in/server/route-access.ts'
import { storeMissingPeriods } from '#src/server/retention/periods.ts'
import { findChatHours, findChatSettings } from '#src/features/chat/server/settings.ts'
import { chatFramePath } from '#src/features/chat/keys.ts'
import { createSite, findEmbedOrigins } from '#src/features/pages/server/service.ts'
import { applyStoredFacts } from '#src/features/company/server/service.ts'
import { counterRoutes } from '#src/features/content/counter/server/routes.ts'
import { paletteRoutes } from '#src/features/content/palette/server/routes.ts'
import { createStaffSearch, staffSearchRoutes } from '#src/features/content/server/staff-search.ts'
import { translationRoutes } from '#src/features/content/translations/server/routes.ts'
import { versionRoutes } from '#src/features/content/versions/server/routes.ts'
import { noVisitCounter } from '#src/features/content/server/visit-counter.ts'
import { backupRoutes } from '#src/server/backup/routes.ts'
import type { Config } from '#src/server/config.ts'
import { watchForUnsharedFiles } from '#src/server/shared-files.ts'
import { joinCluster } from '#src/server/cluster/cluster.ts'
import { createContentCache } from '#src/server/cache/content-cache.ts'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { createUpkeep } from '#src/server/database/upkeep.ts'
import { createEvents } from '#src/server/live/events.ts'
import { createPlannedChanges } from '#src/server/cache/shared-responses.ts'
import { createStoredResponses, sendStoredResponses } from '#src/server/cache/stored-responses.ts'
import { healthRoutes } from '#src/server/observability/health.ts'
import { proxyTrust } from '#src/server/http/addresses.ts'
import { registerSiblingCors } from '#src/server/http/cors.ts'
import { registerHostCheck } from '#src/server/http/host.ts'
import { createLimits } from '#src/server/http/limits.ts'
import { liveRoutes } from '#src/server/live/live.ts'
import { logger } from '#src/server/log.ts'
import { createMailer } from '#src/server/background/mail.ts'
import { createMetrics, metricsRoutes } from '#src/server/observability/metrics.ts'
import { areasOf } from '#src/lib/feature.ts'
import { features } from './features.ts'
import { serverFeatures } from './server-features.ts'
import type { PageServices } from '#src/server/pages/pages.ts'
import { registerPages } from '#src/server/pages/pages.ts'
import { pictureRoutes } from '#src/features/content/server/pictures.ts'
import { createOpenCounter } from '#src/server/http/open-counter.ts'
import { createConnectionEnd } from '#src/server/http/closing.ts'
import { checkInterval, limitRequestTime } from '#src/server/http/request-time.ts'
import { handleError, NotFound, sendProblem } from '#src/server/problems.ts'
import { createQueue } from '#src/server/background/queue.ts'
import { createRealtime } from '#src/server/live/realtime.ts'
import { createSearch } from '#src/server/search/search.ts'
import { watchSamples } from '#src/server/observability/samples.ts'
import { compressResponses } from '#src/server/http/compression.ts'
import { registerSecurityHeaders } from '#src/server/http/security-headers.ts'
import { serveBuiltSite, serveDevelopmentSite } from '#src/server/pages/site-build.ts'
import { traceRequests } from '#src/server/observability/tracing.ts'
import { tableEndsOf } from '#src/features/content/server/feature.ts'
import type { App } from '#src/server/types.ts'
import { removeTakenUploads } from '#src/server/uploads/form-parts.ts'
import { updateRoutes } from '#src/server/update/running-version.ts'
import { uploadRoutes } from '#src/server/uploads/routes.ts'
import { createXsrf, sendTokens } from '#src/server/http/xsrf.ts'
import { brandPictureRoutes, brandPictures } from './discovery/brand-pictures.ts'
import { discoveryRoutes, findPages } from './discovery/discovery-routes.ts'
import { sharePictureRoutes } from './discovery/share-picture-routes.ts'

export type Site = 'built' | 'development' | 'none'

/** TCP backlog: after a restart every client reconnects at once. */
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
    // Errors before routing, such as an address that cannot be decoded.
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    routerOptions: { querystringParser: parseQuery, maxParamLength: 200 },
  }).withTypeProvider<ZodTypeProvider>()
  // JSON must declare its type: a cross-site form can only send text/plain.
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new NotFound()))

  await storeMissingPeriods(database.db)
  await applyStoredFacts(database.db)
  const cluster = await joinCluster(config)
  const metrics = createMetrics(config.metricsToken !== undefined)
  const queue = createQueue(database, metrics.jobFailed)
  const upkeep = database.kind === 'pglite' ? createUpkeep(database, config.dataDir) : null
  // After the deletions of the night, in the quietest hour: a rewriting holds everything else up.
  if (upkeep) queue.schedule('database-upkeep', '10 4 * * *', () => upkeep.run())
  app.decorate('upkeep', upkeep)
  app.addHook('onListen', async () => upkeep?.recordStart())
  app.decorate('cluster', cluster)
  watchForUnsharedFiles(cluster, config)
  app.decorate('config', config)
  app.decorate('db', database.db)
  app.decorate(
    'events',
    createEvents(
      features.flatMap(({ liveAreas = [] }) => liveAreas),
      cluster,
    ),
  )
  app.decorate('content', createContentCache(app.events, app.log))
  app.decorate('limits', createLimits(cluster))
  app.decorate('plannedChanges', createPlannedChanges())
  app.decorate('metrics', metrics)
  app.decorate('features', features)
  app.decorate('areas', areasOf(features))
  app.decorate(
    'contents',
    serverFeatures.flatMap(({ content = [] }) => content),
  )
  app.decorate(
    'sampleParts',
    serverFeatures.flatMap(({ samplePart }) => samplePart ?? []),
  )
  app.decorate(
    'storedSettings',
    serverFeatures.flatMap(({ settings }) => settings ?? []),
  )
  app.decorate(
    'personalData',
    serverFeatures.flatMap(({ personalData = [] }) => personalData),
  )
  app.decorate(
    'holdings',
    serverFeatures.flatMap(({ holdings = [] }) => holdings),
  )
  app.decorate(
    'userColumns',
    serverFeatures.flatMap(({ userColumns = [] }) => userColumns),
  )
  app.decorate('tableEnds', tableEndsOf(serverFeatures))
  app.decorate(
    'pictureTables',
    serverFeatures.flatMap(({ content = [], pictureTables = [] }) => [...content.map(({ table }) => table), ...pictureTables]),
  )
  app.decorate('findEmergency', async () => {
    const found = await Promise.all(serverFeatures.flatMap(({ findEmergency }) => findEmergency?.(app) ?? []))
    return found.includes(true)
  })
  app.decorate('findTeamRecord', async (id) => {
    const found = await Promise.all(serverFeatures.flatMap(({ findTeamRecord }) => findTeamRecord?.(app, id) ?? []))
    return found.find((one) => one !== null) ?? null
  })
  app.decorate(
    'fileStores',
    serverFeatures.flatMap(({ fileStore }) => fileStore ?? []),
  )
  app.decorate(
    'exportedFiles',
    serverFeatures.flatMap(({ exportFiles }) => exportFiles ?? []),
  )
  app.decorate('findPageAddresses', () => findPages(app))
  app.decorate('findEntryAddresses', async () => {
    const found = await Promise.all(
      serverFeatures.map(async ({ findAddresses, findEntryAddresses }) => {
        if (findEntryAddresses) return findEntryAddresses(app)
        const pages = (await findAddresses?.(app)) ?? []
        const paths = pages.flatMap((page) => (typeof page === 'string' ? page : languages.flatMap((one) => page[one] ?? [])))
        return paths.map((path) => ({ path, title: { fr: '', en: '' }, isPublished: true }))
      }),
    )
    return found.flat()
  })
  app.decorate('findHours', (db = database.db) => findChatHours(db))
  app.decorate('emergencyNotice', serverFeatures.find(({ emergencyNotice }) => emergencyNotice)?.emergencyNotice)
  const named = serverFeatures.find(({ nameElements }) => nameElements)
  app.decorate('nameElements', named?.nameElements ?? (async (_reader, elements) => elements.map(() => null)))
  app.decorate('findHealthReports', async () => {
    const found = await Promise.all(serverFeatures.flatMap(({ findHealth }) => findHealth?.(app) ?? []))
    return found.flat().filter((report) => report !== null)
  })
  const mailbox = serverFeatures.find(({ checkMailbox }) => checkMailbox)
  const noMailbox = { fr: 'Aucune fonction ne lit de boîte', en: 'No feature reads a mailbox' }
  app.decorate('checkMailbox', mailbox?.checkMailbox ?? (async () => ({ ok: true, text: noMailbox })))
  app.decorate(
    'profileFields',
    serverFeatures.flatMap(({ profileField }) => profileField ?? []),
  )
  app.decorate(
    'importers',
    serverFeatures.flatMap(({ importers = [] }) => importers),
  )
  app.decorate('uploadPurposes', Object.assign({}, ...serverFeatures.map(({ uploads }) => uploads)))
  app.decorate('pageWriters', Object.assign({}, ...serverFeatures.map(({ pageWriters }) => pageWriters)))
  const searchable = serverFeatures.flatMap((feature) => feature.searchable ?? [])
  app.decorate('siteSearch', createSearch(app, searchable))
  app.addHook('onListen', () => void app.siteSearch.prepare())
  app.decorate('staffSearch', createStaffSearch(app, searchable))
  app.decorate('queue', queue)
  app.decorate(
    'mailer',
    createMailer(database.db, queue, config, {
      get defaultFrom() {
        return company.emails.support
      },
      get fromName() {
        return company.name
      },
      isOnlyProcess: database.kind === 'pglite',
      onFailure: metrics.mailFailed,
    }),
  )
  app.decorate(
    'streams',
    createOpenCounter(config.maxStreamsPerAddress, () => metrics.refused('streams_per_address')),
  )
  app.decorate('xsrf', createXsrf(config.secret))
  app.decorate('storedResponses', createStoredResponses(app.content, app.xsrf))
  app.decorate('visits', serverFeatures.find(({ countVisits }) => countVisits)?.countVisits?.(app) ?? noVisitCounter)
  app.decorate('realtime', createRealtime(app.server, config, cluster, metrics))
  limitRequestTime(app.server, config.requestTimeoutS, metrics)
  app.decorate('site', createSite(config))
  app.decorate('siteBuild', { version: null })
  app.decorate('samples', watchSamples(app))
  const endConnections = createConnectionEnd(app.server)
  app.addHook('preClose', async () => {
    app.realtime.stop()
    endConnections()
  })
  // `onClose` hooks run in reverse order, so jobs that end while the queue stops are still traced.
  await traceRequests(app)
  app.addHook('onClose', async () => {
    await queue.stop()
    app.mailer.close()
    await cluster.close()
  })

  registerHostCheck(app)
  sendStoredResponses(app)
  await app.register(cookie)
  await registerSecurityHeaders(app)
  registerSiblingCors(app)
  registerRequestLog(app)
  enforceRouteAccess(app)
  enforceRecentSignIn(app)
  // On the root instance, so that its hook measures the requests of all later scopes.
  await metricsRoutes(app)
  await app.register(healthRoutes)
  await app.register(pictureRoutes, { prefix: '/media' })
  await app.register(discoveryRoutes)
  await app.register(brandPictureRoutes)
  await app.register(sharePictureRoutes)
  for (const { routes = {} } of serverFeatures)
    for (const [prefix, plugin] of Object.entries(routes)) await app.register(plugin, { prefix })
  await app.register(registerApi)
  await registerSite(app, site)
  return app
}

/** All but TRACE, which would send a browser's headers back to it. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

async function registerApi(app: App) {
  sendTokens(app, app.xsrf)
  compressResponses(app)
  removeTakenUploads(app)
  takeBackEntities(app)
  // Writes require the XSRF token unless the route declares another protection.
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
  for (const { api = {} } of serverFeatures)
    for (const [prefix, plugin] of Object.entries(api)) await app.register(plugin, { prefix })
  await app.register(counterRoutes(serverFeatures), { prefix: '/api/counter' })
  await app.register(paletteRoutes(serverFeatures), { prefix: '/api/palette' })
  await app.register(translationRoutes, { prefix: '/api/translations' })
  await app.register(versionRoutes, { prefix: '/api/versions' })
  await app.register(staffSearchRoutes, { prefix: '/api/search' })
  await app.register(backupRoutes, { prefix: '/api/backup' })
  await app.register(updateRoutes, { prefix: '/api/update' })
  await app.register(uploadRoutes, { prefix: '/api/uploads' })
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

/**
 * A PUT takes back what GET gave: of its body, keys that the entity has and the input does not are ignored; other unknown
 * keys are refused.
 */
function takeBackEntities(app: App) {
  const given = new Map<string, string[]>()
  const keysOf = (schema: unknown): string[] => {
    if (schema instanceof z.ZodPipe) return keysOf(schema.in)
    return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  }
  app.addHook('onRoute', (route) => {
    const { body, response } = route.schema ?? {}
    const isRead = route.method === 'GET'
    if (!isRead && route.method !== 'PUT') return
    // Other PUTs, such as that of a password, answer with an entity that they do not take.
    if (isRead || route.url.endsWith('/:id')) {
      const entity = keysOf((response as Record<number, unknown> | undefined)?.[200])
      given.set(route.url, [...(given.get(route.url) ?? []), ...entity])
    }
    const taken = keysOf(body)
    if (isRead || taken.length === 0) return
    const drop = async ({ body: entity }: FastifyRequest) => {
      if (typeof entity !== 'object' || entity === null) return
      for (const key of given.get(route.url) ?? []) if (!taken.includes(key)) Reflect.deleteProperty(entity, key)
    }
    route.preValidation = [drop, ...[route.preValidation ?? []].flat()]
  })
}

async function registerSite(app: App, site: Site) {
  if (site === 'none') return
  const services = createPageServices(app)
  const loadRender = site === 'development' ? await serveDevelopmentSite(app) : await serveBuiltSite(app, brandPictures)
  await registerPages(app, services, loadRender, {
    players: findEmbedOrigins(),
    framed: chatFramePath,
    countView: app.visits.countView,
    uploads: Object.assign({}, ...serverFeatures.map(({ pageUploads }) => pageUploads)),
    answerMissing: serverFeatures.find(({ answerMissing }) => answerMissing)?.answerMissing?.(app),
    findAncestors: async () => (await findChatSettings(app.db)).embed_origins,
  })
}

/** Services for loaders and actions during server rendering. */
export const createPageServices = (app: App) =>
  Object.assign({}, ...serverFeatures.map(({ pageServices }) => pageServices?.(app))) as PageServices

const routineProbes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

function registerRequestLog(app: App) {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const path = withoutSecret(request.url.split('?', 1)[0] ?? '')
    const facts = { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    // Supervisors ask every few seconds: tens of thousands of lines a day that say nothing.
    const isRoutine = reply.statusCode < 400 && routineProbes.has(request.routeOptions.url ?? '')
    request.log[isRoutine ? 'debug' : 'info'](facts, 'request')
  })
}

/** The path without the secret that an address such as that of a customer's page contains. */
function withoutSecret(path: string) {
  const before = features.flatMap(({ secretPaths = [] }) => secretPaths).find((one) => path.startsWith(one))
  return before ? `${before}…` : path
}

/** A repeated parameter becomes an array, which the schemas reject: `?id=1&id=2` gets 400. */
function parseQuery(text: string) {
  const parsed: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(text)) {
    const known = parsed[name]
    parsed[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return parsed
}
