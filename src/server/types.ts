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
import type { Upkeep } from './database/upkeep.ts'
import type { Events } from './live/events.ts'
import type { PlannedChanges } from './cache/shared-responses.ts'
import type { StoredResponses } from './cache/stored-responses.ts'
import type { Limits } from './http/limits.ts'
import type { Mailer } from './background/mail.ts'
import type { Metrics } from './observability/metrics.ts'
import type { PersonalDataKind } from './personal-data.ts'
import type { Queue } from './background/queue.ts'
import type { Realtime } from './live/realtime.ts'
import type { Search } from './search/search.ts'
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
    /** Every route of the product, with its declaration. */
    declaredRoutes: readonly DeclaredRoute[]
    events: Events
    features: readonly Feature[]
    /** The hours and holidays of the company, as the administration set them; `db` is the caller's transaction, if any. */
    findHours: (db?: Database) => Promise<BusinessHours>
    limits: Limits
    mailer: Mailer
    metrics: Metrics
    /** The personal data of each feature. */
    personalData: readonly PersonalDataKind[]
    /** When public content changes by itself. */
    plannedChanges: PlannedChanges
    queue: Queue
    realtime: Realtime
    samples: Samples
    /** Finds what visitors may read. */
    siteSearch: Search
    /** Open event streams by address. */
    streams: OpenCounter
    storedResponses: StoredResponses
    /** Changes with the browser files of the site; null where no built site is served. */
    siteBuild: { version: string | null }
    /** Nightly work of the embedded database; null on PostgreSQL. */
    upkeep: Upkeep | null
    xsrf: Xsrf
  }
  interface FastifyContextConfig {
    /** Who may call the route; the start fails without it. */
    access?: Access
    /** How a write proves that it comes from our own page; the start fails where a route that writes has none. */
    protection?: Protection
    /** Accepts files: its body may take longer, as long as data keeps arriving. */
    upload?: true
  }
}

/**
 * Who may call a route. `stream`: everybody, and the response does not end. `signed-in`: users, for their own account.
 * `command`: a server command, by its name. `metrics`: callers with `METRICS_TOKEN`. Otherwise a right, whose level may come
 * from a setting.
 */
export type Access =
  | 'public'
  | 'stream'
  | 'signed-in'
  | 'metrics'
  | `command ${string}`
  | `${Area} ${GivenLevel}`
  | { area: Area; findLevel: (db: Database) => Promise<GivenLevel> }

/** A registered route with its declared access and protection. */
export type DeclaredRoute = Pick<RouteOptions, 'method' | 'url' | 'config'>

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** REST routes of a feature: a Fastify plugin with Zod schemas. */
export type Routes = (app: App) => Promise<void>
