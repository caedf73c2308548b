import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Cluster } from './cluster.ts'
import type { Config } from './config.ts'
import type { ContentCache } from './content-cache.ts'
import type { Database } from './database.ts'
import type { Events } from './events.ts'
import type { FrontCache } from './front-cache.ts'
import type { Limits } from './limits.ts'
import type { Mailer } from './mail.ts'
import type { Metrics } from './metrics.ts'
import type { PersonalDataKind } from './personal-data.ts'
import type { Queue } from './queue.ts'
import type { Realtime } from './realtime.ts'
import type { Samples } from './samples.ts'
import type { Xsrf } from './xsrf.ts'

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
