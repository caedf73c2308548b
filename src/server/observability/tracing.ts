import type { Span, Tracer } from '@opentelemetry/api'
import { PgPreparedQuery } from 'drizzle-orm/pg-core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { App } from '../types.ts'

type Attributes = Record<string, string | number>

/** Traces of the product; a no-op until `startTracing` finds a collector. */
let trace: (<T>(name: string, attributes: Attributes, work: () => Promise<T>) => Promise<T>) | undefined
let tracer: Tracer | undefined
let stopExport: (() => Promise<void>) | undefined

/**
 * Starts OpenTelemetry tracing where `OTEL_EXPORTER_OTLP_ENDPOINT` is set; the library reads its other variables itself. Loaded
 * only then.
 */
export async function startTracing({ tracesUrl }: Pick<Config, 'tracesUrl'>) {
  if (!tracesUrl) return
  const [api, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  process.env.OTEL_SERVICE_NAME ??= 'guichet'
  const exporter = new OTLPTraceExporter({ url: `${tracesUrl.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.NodeTracerProvider({ spanProcessors: [new sdk.BatchSpanProcessor(exporter)] })
  provider.register()
  const ours = api.trace.getTracer('guichet')
  tracer = ours
  trace = (name, attributes, work) =>
    ours.startActiveSpan(name, { attributes }, async (span) => {
      try {
        return await work()
      } catch (error) {
        span.recordException(error as Error)
        span.setStatus({ code: api.SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  const untrace = traceStatements()
  stopExport = async () => {
    untrace()
    trace = tracer = stopExport = undefined
    api.trace.disable()
    api.context.disable()
    api.propagation.disable()
    await provider.shutdown()
  }
}

/** Runs work in a span with its duration and outcome; free where tracing is off. */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return trace ? trace(name, attributes, work) : work()
}

/** One span for each request, named by its route; its database queries are its children. */
export async function traceRequests(app: App) {
  if (!tracer) return
  const ours = tracer
  const api = await import('@opentelemetry/api')
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = api.propagation.extract(api.context.active(), request.headers)
    const { method, routeOptions } = request
    const options = { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': method } }
    const span = ours.startSpan(`${method} ${routeOptions.url ?? 'none'}`, options, parent)
    spans.set(request, span)
    api.context.with(api.trace.setSpan(parent, span), done)
  })
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    const span = spans.get(request)
    span?.setAttributes({ 'http.route': request.routeOptions.url ?? 'none', 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR })
    span?.end()
  })
  app.addHook('onClose', async () => stopExport?.())
}

type Statement = { queryWithCache: (text: string, values: unknown[], query: () => Promise<unknown>) => Promise<unknown> }

/** Traces every statement, on either database and in transactions, without its values. Returns the function that ends it. */
function traceStatements() {
  const statement = PgPreparedQuery.prototype as unknown as Statement
  const execute = statement.queryWithCache
  statement.queryWithCache = function (this: Statement, text, values, query) {
    const verb = text.trimStart().split(/\s/, 1)[0] ?? ''
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 1_000) }
    return traced(`database ${verb}`, attributes, () => execute.call(this, text, values, query))
  }
  return () => {
    statement.queryWithCache = execute
  }
}
