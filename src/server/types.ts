import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault, RouteOptions } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Feature } from '#src/lib/feature.ts'
import type { Area, GivenLevel } from '#src/lib/rights.ts'
import type { BusinessHours } from '#src/lib/time/business-hours.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { Config } from './config.ts'
import type { ContentCache } from './cache/content-cache.ts'
import type { Database } from './database/database.ts'
import type { Events } from './live/events.ts'
import type { StoredResponses } from './cache/stored-responses.ts'
import type { Limits } from './http/limits.ts'
import type { Mailer } from './background/mail.ts'
import type { Metrics } from './observability/metrics.ts'
import type { PersonalDataKind } from './personal-data.ts'
import type { Queue } from './background/queue.ts'
import type { Realtime } from './live/realtime.ts'
import type { Samples } from './observability/samples.ts'
import type { OpenCounter } from './http/open-counter.ts'
import type { Protection, Xsrf } from './http/xsrf.ts'

declare module 'fastify' {
  interface FastifyInstance {
    cluster: Cluster
    config: Config
    /** Areas of rights of all features. */
    areas: readonly Area[]
    content: ContentCache
    db: Database
    /** Every route of the product, with what it declares. */
    declaredRoutes: readonly DeclaredRoute[]
    events: Events
    features: readonly Feature[]
    /** The hours and holidays of the company, as the administration set them. */
    findHours: () => Promise<BusinessHours>
    limits: Limits
    mailer: Mailer
    metrics: Metrics
    /** What each feature holds about people. */
    personalData: readonly PersonalDataKind[]
    queue: Queue
    realtime: Realtime
    samples: Samples
    /** The open streams of each address. */
    streams: OpenCounter
    storedResponses: StoredResponses
    /** Changes with the files of the site that browsers load; null where there is no built site. */
    siteBuild: { version: string | null }
    xsrf: Xsrf
  }
  interface FastifyContextConfig {
    /** Who may use the route; without it the product does not start. */
    access?: Access
    /** What shows that a change was asked for by our own page; without it a route that changes something stops the start. */
    protection?: Protection
    /** Takes files: its body may take longer, as long as it keeps coming. */
    upload?: true
  }
}

/**
 * Who may use a route. `stream`: anybody, and the response has no end. `signed-in`: one's own account. `command`: a command
 * of the server administrator, by its name. `metrics`: callers with `METRICS_TOKEN`. Else a right, whose level a setting may give.
 */
export type Access =
  | 'public'
  | 'stream'
  | 'signed-in'
  | 'metrics'
  | `command ${string}`
  | `${Area} ${GivenLevel}`
  | { area: Area; findLevel: (db: Database) => Promise<GivenLevel> }

/** A route as it was registered; its `config` says who may use it and how its changes are protected. */
export type DeclaredRoute = Pick<RouteOptions, 'method' | 'url' | 'config'>

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** A feature's REST routes: an ordinary Fastify plugin whose schemas are Zod's. */
export type Routes = (app: App) => Promise<void>
