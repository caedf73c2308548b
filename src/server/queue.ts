import { sql } from 'drizzle-orm'
import type { Job, SendOptions } from 'pg-boss'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { Database, OpenDatabase } from './database.ts'
import { logger } from './log.ts'

type Options = { retryLimit: number; retryDelay: number; retryBackoff: boolean; retryDelayMax?: number; expireInSeconds?: number }
type Handler<T> = (data: T, job: { id: string; retryCount: number }) => Promise<void>
type Definition = { name: string; options: Options; handler: Handler<never>; cron?: string }

/**
 * Work that must survive a restart. A feature defines its queues before `start`;
 * `send` inside a transaction makes the work exist exactly when the transaction commits.
 */
export function createQueue(database: OpenDatabase) {
  const boss = new PgBoss({
    db: { executeSql: database.executeSql },
    backend: database.kind,
    schema: 'queue',
    superviseIntervalSeconds: 60,
  } as ConstructorParameters<typeof PgBoss>[0])
  boss.on('error', (error) => logger.error({ err: error }, 'queue error'))
  const definitions: Definition[] = []
  let ready: Promise<void> | undefined

  return {
    define<T extends object>(name: string, options: Options, handler: Handler<T>) {
      definitions.push({ name, options, handler: handler as Handler<never> })
    },
    /** Runs a task by the clock (cron, in the company's time zone), on one instance at a time. */
    schedule(name: string, cron: string, handler: () => Promise<void>) {
      definitions.push({ name, cron, handler, options: { retryLimit: 2, retryDelay: 60, retryBackoff: true } })
    },
    start(timeZone: string) {
      ready ??= startAll(boss, definitions, timeZone)
      return ready
    },
    async send(db: Database, name: string, data: object, options: SendOptions = {}) {
      await boss.send(name, data, { ...options, db: fromDrizzle(db as never, sql as never) })
    },
    async stop() {
      if (!ready) return
      await ready.catch(() => undefined)
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}

export type Queue = ReturnType<typeof createQueue>

async function startAll(boss: PgBoss, definitions: Definition[], timeZone: string) {
  await boss.start()
  for (const { name, options, handler, cron } of definitions) {
    await boss.createQueue(name, options)
    await boss.work(name, { pollingIntervalSeconds: 0.5, includeMetadata: true }, async (jobs: Job[]) => {
      for (const job of jobs) {
        const { retryCount } = job as Job & { retryCount: number }
        await handler(job.data as never, { id: job.id, retryCount })
      }
    })
    if (cron) await boss.schedule(name, cron, undefined, { tz: timeZone })
  }
}
