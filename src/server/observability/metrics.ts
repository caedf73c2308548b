import { timingSafeEqual } from 'node:crypto'
import { createHistogram } from 'node:perf_hooks'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { mails } from '../background/mail-table.ts'
import { isDatabaseUp } from './health.ts'
import { logger } from '../log.ts'
import { NotConnected } from '../problems.ts'
import type { App, Routes } from '../types.ts'

/** Seconds, from imperceptible to too long. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const refusalReasons = ['sockets_per_address', 'streams_per_address', 'slow_request'] as const

/** Null: left out. */
type GaugeValue = number | Record<string, number> | null

/** Metrics of this process; features add theirs. Histograms exist only where Prometheus can scrape them. */
export function createMetrics(isScraped: boolean) {
  const registry = new Registry()
  const registers = [registry]
  const gauges = new Map<string, () => GaugeValue | Promise<GaugeValue>>()
  const requests = new Histogram({
    name: 'guichet_http_request_seconds',
    help: 'Time of requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const messages = new Histogram({
    name: 'guichet_chat_message_seconds',
    help: 'Time from a chat message to its acknowledgement, which follows its commit',
    labelNames: ['side'],
    buckets,
    registers,
  })
  const mailFailures = new Counter({
    name: 'guichet_mail_failures_total',
    help: 'Attempts to send a mail that failed',
    registers,
  })
  const refusals = new Counter({
    name: 'guichet_refused_total',
    help: 'Connections and requests refused or ended to protect the others, by reason',
    labelNames: ['reason'],
    registers,
  })
  const retentionFailures = new Counter({
    name: 'guichet_retention_failures_total',
    help: 'Nightly purges of old records that failed, by kind of record',
    labelNames: ['kind'],
    registers,
  })
  const jobFailures = new Counter({
    name: 'guichet_job_failures_total',
    help: 'Jobs of the queue that failed, each attempt, by queue',
    labelNames: ['queue'],
    registers,
  })
  for (const reason of refusalReasons) refusals.inc({ reason }, 0)
  /** The same durations since the last sample, for the health page. */
  const recent = { requests: createHistogram(), messages: createHistogram(), mailFailures: 0 }

  return {
    registry,
    recent,
    /** A gauge computed on each scrape; by label value where a label is named. */
    gauge(name: string, help: string, find: () => GaugeValue | Promise<GaugeValue>, label?: string) {
      gauges.set(name, find)
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        labelNames: label ? [label] : [],
        async collect() {
          // Without labels, a reset would show 0.
          if (label) gauge.reset()
          else gauge.remove()
          let found: GaugeValue
          try {
            found = await find()
          } catch (error) {
            // Left out of this scrape: the others are wanted most while the database is away.
            logger.warn({ err: error, gauge: name }, 'a gauge could not be read')
            return
          }
          if (found === null) return
          if (typeof found === 'number') gauge.set(found)
          else for (const [value, count] of Object.entries(found)) gauge.set({ [label ?? '']: value }, count)
        },
      })
    },
    /** The current value of a gauge, over all labels; null where it cannot be computed. */
    async readGauge(name: string) {
      try {
        const found = await gauges.get(name)?.()
        return found && typeof found === 'object' ? Object.values(found).reduce((sum, one) => sum + one, 0) : (found ?? null)
      } catch {
        return null
      }
    },
    jobFailed: (queue: string) => jobFailures.inc({ queue }),
    retentionFailed: (kind: string) => retentionFailures.inc({ kind }),
    requestTook(labels: { method: string; route: string; status: number }, milliseconds: number) {
      if (isScraped) requests.observe(labels, milliseconds / 1_000)
      recent.requests.record(microseconds(milliseconds))
    },
    messageTook(side: 'visitor' | 'staff', milliseconds: number) {
      if (isScraped) messages.observe({ side }, milliseconds / 1_000)
      recent.messages.record(microseconds(milliseconds))
    },
    refused(reason: (typeof refusalReasons)[number]) {
      refusals.inc({ reason })
    },
    mailFailed() {
      mailFailures.inc()
      recent.mailFailures += 1
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** `/metrics` for Prometheus, where `METRICS_TOKEN` is set: the same token as a bearer. */
export const metricsRoutes: Routes = async (app) => {
  watch(app)
  if (!app.config.metricsToken) return
  collectDefaultMetrics({ register: app.metrics.registry })
  app.get('/metrics', { config: { access: 'metrics' }, schema: { hide: true } }, async (_request, reply) =>
    reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics()),
  )
}

/** Throws `NotConnected` unless the request carries `METRICS_TOKEN` as a bearer token. */
export function checkMetricsToken({ headers, server }: FastifyRequest) {
  const { metricsToken } = server.config
  if (metricsToken && isBearer(headers.authorization ?? '', metricsToken)) return
  throw new NotConnected('The METRICS_TOKEN bearer token is required.')
}

function watch(app: App) {
  const { metrics } = app
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    metrics.requestTook({ method, route: routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime)
  })
  metrics.gauge('guichet_sockets', 'Connected sockets', () => app.realtime.io.engine.clientsCount)
  if (!app.cluster.isAlone) {
    metrics.gauge('guichet_instances', 'Instances this one knows of, itself included', () => app.cluster.countOthers() + 1)
    metrics.gauge('guichet_redis_connected', 'Whether the other instances can be told', () => Number(app.cluster.isConnected()))
  }
  metrics.gauge('guichet_database_up', 'Whether the database responds', async () => Number(await isDatabaseUp(app.db)))
  metrics.gauge('guichet_queue_jobs', 'Work that waits or is being done, by queue', () => app.queue.countJobs(), 'queue')
  for (const state of ['waiting', 'failed'] as const) {
    metrics.gauge(`guichet_mails_${state}`, `Mails in the state ${state}`, () => app.db.$count(mails, eq(mails.state, state)))
  }
}

/** Node's histograms record integers above zero. */
const microseconds = (milliseconds: number) => Math.max(1, Math.round(milliseconds * 1_000))

function isBearer(header: string, token: string) {
  const [given, wanted] = [Buffer.from(header), Buffer.from(`Bearer ${token}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
