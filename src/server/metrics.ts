import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { mails } from './mail-table.ts'
import { NotConnected } from './problems.ts'
import type { App, Routes } from './types.ts'

/** Seconds: from what one does not feel to what one does not wait for. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Figures of this process; features add theirs. */
export function createMetrics() {
  const registry = new Registry()
  return {
    registry,
    /** A figure that is looked up each time it is asked for. */
    gauge(name: string, help: string, find: () => number | Promise<number>) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: async () => gauge.set(await find()) })
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** `/metrics` for Prometheus, where `METRICS_TOKEN` is set: the same token as a bearer (contract.md 1). */
export const metricsRoutes: Routes = async (app) => {
  const { metricsToken } = app.config
  if (!metricsToken) return
  watch(app)
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isBearer(request.headers.authorization ?? '', metricsToken))
      throw new NotConnected('This needs the token of METRICS_TOKEN.')
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics())
  })
}

function watch(app: App) {
  const { metrics } = app
  collectDefaultMetrics({ register: metrics.registry })
  const requests = new Histogram({
    name: 'guichet_http_request_seconds',
    help: 'Time of requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [metrics.registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  metrics.gauge('guichet_sockets', 'Connected sockets', () => app.realtime.io.engine.clientsCount)
  if (!app.cluster.isAlone) {
    metrics.gauge('guichet_instances', 'Instances this one knows of, itself included', () => app.cluster.countOthers() + 1)
    metrics.gauge('guichet_redis_connected', 'Whether the other instances can be told', () => Number(app.cluster.isConnected()))
  }
  for (const state of ['waiting', 'failed'] as const) {
    metrics.gauge(`guichet_mails_${state}`, `Mails in the state ${state}`, () => app.db.$count(mails, eq(mails.state, state)))
  }
}

function isBearer(header: string, token: string) {
  const [given, wanted] = [Buffer.from(header), Buffer.from(`Bearer ${token}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
