import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Cluster } from './instances/cluster.ts'
import type { Config } from './config.ts'
import type { ContentCache } from './cache/content-cache.ts'
import type { Database } from './database/database.ts'
import type { Events } from './live/events.ts'
import type { FrontCache } from './cache/front-cache.ts'
import type { Limits } from './http/limits.ts'
import type { Mailer } from './background/mail.ts'
import type { Metrics } from './observability/metrics.ts'
import type { PersonalDataKind } from './personal-data.ts'
import type { Queue } from './background/queue.ts'
import type { Realtime } from './live/realtime.ts'
import type { Samples } from './observability/samples.ts'
import type { Xsrf } from './http/xsrf.ts'

declare module 'fastify' {
  interface FastifyInstance {
    cluster: Cluster
    config: Config
    content: ContentCache
    db: Database
    events: Events
    front: FrontCache
    limits: Limits
    mailer: Mailer
    metrics: Metrics
    /** What each feature holds about people. */
    personalData: readonly PersonalDataKind[]
    queue: Queue
    realtime: Realtime
    samples: Samples
    /** Changes with the files of the site that browsers load; null where there is no built site. */
    siteBuild: { version: string | null }
    xsrf: Xsrf
  }
  interface FastifyContextConfig {
    /** `origin`: a beacon or a form without JavaScript, which cannot set the header. */
    xsrf?: 'origin'
  }
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** A feature's REST routes: an ordinary Fastify plugin whose schemas are Zod's. */
export type Routes = (app: App) => Promise<void>
