import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { JobWithMetadata } from 'pg-boss'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { Database, OpenDatabase } from '../database/database.ts'
import { logger } from '../log.ts'
import { traced } from '../observability/tracing.ts'

type Options = {
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  retryDelayMax?: number
  expireInSeconds?: number
}
type JobContext = { retryCount: number; signal: AbortSignal }
type Handler<T> = (data: T, job: JobContext) => Promise<void>
/**
 * Work that comes due again and again; `take` claims at most so many pieces of it and returns how to do each. Without a pause
 * where `isBacklog`: it claims the next piece as soon as one is done. `count`: the work that waits, by its name.
 */
type Recurrence = {
  most: number
  take: (count: number, stopping: AbortSignal) => Promise<(() => Promise<void>)[]>
  isBacklog?: boolean
  count?: { name: string; read: () => Promise<number> }
}
type Definition = { name: string; options: Options; handler: Handler<never>; cron?: string }
/** `startAfter`: not before this moment. */
type Work = { data: object; key: string; startAfter?: Date }

/** A backup of a large database takes longer than the queue's fifteen minutes. */
const scheduledMaxSeconds = 4 * 3_600
/** Longest pause of a worker; `wakeUp` ends it within a second of a job that is due. */
const unwokenSeconds = 60
/** A job without a heartbeat for this long is failed or retried: else the job of a killed process blocks its key until it expires. */
const heartbeatSeconds = 20

/**
 * Jobs that survive a restart. A feature defines its queues before `start`; `send` in a transaction creates the job exactly
 * when the transaction commits. A key has one job at a time, and a process works one job of a queue at a time, so that a crash
 * interrupts one job only.
 */
export function createQueue(database: OpenDatabase, onFailure: (queue: string) => void = () => undefined) {
  const boss = new PgBoss({
    db: { executeSql: database.executeSql },
    backend: database.kind,
    schema: 'queue',
    // How often to look for jobs of processes that died, in seconds.
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
  })
  // pg-boss emits the errors of its workers as plain objects.
  const asError = (error: object) => (error instanceof Error ? error : Object.assign(new Error(), error))
  boss.on('error', (error) => logger.error({ err: asError(error) }, 'queue error'))
  boss.on('warning', (warning) => logger.warn({ warning }, 'queue warning'))
  const definitions: Definition[] = []
  const recurrences: Recurrence[] = []
  const recurring: Promise<void>[] = []
  let starting: Promise<void> | undefined
  let isReady = false
  const stopping = new AbortController()
  /** Queues of an earlier version may still hold jobs that nobody works. */
  const names = () => definitions.map(({ name }) => name)

  return {
    define<T extends object>(name: string, options: Options, handler: Handler<T>) {
      definitions.push({ name, options, handler })
    },
    /** Runs a task on a schedule (cron, in the company's time zone), on one instance at a time. */
    schedule(name: string, cron: string, handler: () => Promise<void>) {
      // A task of every minute is due again before a retry would be.
      const retryLimit = cron.startsWith('* ') ? 0 : 2
      const options = { retryLimit, retryDelay: 60, retryBackoff: true, expireInSeconds: scheduledMaxSeconds }
      definitions.push({ name, cron, handler, options })
    },
    /**
     * Does work that the instances claim from a table of its own, `most` pieces side by side in this one. Unlike a job, a piece
     * that takes long delays no other, and none leaves a row behind.
     */
    recur(recurrence: Recurrence) {
      recurrences.push(recurrence)
    },
    start(timeZone: string) {
      starting ??= startAll(boss, definitions, timeZone, stopping.signal, onFailure).then((workers) => {
        isReady = !stopping.signal.aborted
        if (!isReady) return
        const all = [...recurrences, wakeUp(boss, database, workers)]
        recurring.push(...all.map((one) => repeat(one, stopping.signal)))
      })
      return starting
    },
    /**
     * Returns false while the queue is not ready: on the embedded database's only connection its statements could not run
     * beside a transaction. The caller then queues the work later from its own table.
     */
    async send(tx: Database, name: string, { data, key, startAfter }: Work) {
      if (!isReady) return false
      await boss.send(name, data, { singletonKey: key, ...(startAfter && { startAfter }), db: over(tx) })
      return true
    },
    /** Number of waiting, retried and active jobs, by queue. */
    async countJobs(): Promise<Record<string, number>> {
      if (!isReady) return {}
      const { rows } = await database.executeSql(
        "select name, count(*)::int as jobs from queue.job where state < 'completed' and name = any($1) group by name",
        [names()],
      )
      const jobs = (rows as { name: string; jobs: number }[]).map((row) => [row.name, row.jobs] as const)
      const own = recurrences.flatMap(({ count }) => count ?? [])
      const waiting = await Promise.all(own.map(async ({ name, read }) => [name, await read()] as const))
      return Object.fromEntries([...jobs, ...waiting].filter(([, count]) => count > 0))
    },
    names,
    isReady: () => isReady,
    async stop() {
      if (!starting) return
      stopping.abort()
      await starting.catch(() => undefined)
      isReady = false
      await Promise.all(recurring)
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}

export type Queue = ReturnType<typeof createQueue>

async function startAll(
  boss: PgBoss,
  definitions: Definition[],
  timeZone: string,
  stopping: AbortSignal,
  onFailure: (queue: string) => void,
) {
  await persist(() => boss.start(), stopping)
  await persist(() => removeFormerSchedules(boss, definitions), stopping)
  /** By queue. */
  const workers = new Map<string, string>()
  for (const { name, options: own, handler, cron } of definitions) {
    if (stopping.aborted) break
    const options = { ...own, heartbeatSeconds }
    await persist(() => boss.createQueue(name, { ...options, policy: 'exclusive' }), stopping)
    // A queue of an earlier version would keep its old options.
    await persist(() => boss.updateQueue(name, options), stopping)
    let worker = ''
    const pace = { pollingIntervalSeconds: unwokenSeconds, includeMetadata: true } as const
    worker = await boss.work(name, pace, async ([job]: JobWithMetadata<object>[]) => {
      // Start the next job at once.
      boss.notifyWorker(worker)
      if (!job) return
      const context = { retryCount: job.retryCount, signal: job.signal }
      const startedAt = performance.now()
      try {
        await traced(`job ${name}`, { 'job.retries': job.retryCount }, () => handler(job.data as never, context))
        logger.debug({ queue: name, ms: Math.round(performance.now() - startedAt) }, 'job done')
      } catch (error) {
        logger.error({ err: error, queue: name, attempt: job.retryCount + 1 }, 'a job failed')
        onFailure(name)
        throw error
      }
    })
    workers.set(name, worker)
    if (cron) await persist(() => boss.schedule(name, cron, undefined, { tz: timeZone }), stopping)
  }
  return workers
}

const claimEveryMs = 1_000
/** After a pause everything is due: it is spread over seconds. */
const mostEachClaim = 50

/** Wakes the workers whose jobs are due: one query each second for all queues, instead of one for each. */
const wakeUp = (boss: PgBoss, database: OpenDatabase, workers: ReadonlyMap<string, string>): Recurrence => ({
  most: 1,
  async take() {
    const { rows } = await database.executeSql(
      `select name from unnest($1::text[]) as name where exists (
        select from queue.job where job.name = name and state < 'active' and not blocked and start_after <= queue.job_now())`,
      [[...workers.keys()]],
    )
    for (const { name } of rows as { name: string }[]) boss.notifyWorker(workers.get(name) ?? '')
    return []
  },
})

/** Claims work each second until `stopping` aborts; then waits for what still runs. */
async function repeat({ most, take, count, isBacklog = false }: Recurrence, stopping: AbortSignal) {
  const running = new Set<Promise<void>>()
  while (!stopping.aborted) {
    let claimed: (() => Promise<void>)[] = []
    try {
      const free = Math.min(most - running.size, mostEachClaim)
      claimed = free > 0 ? await take(free, stopping) : []
      for (const work of claimed) {
        const piece = (count ? traced(`job ${count.name}`, {}, work) : work())
          .catch((error: unknown) => logger.error({ err: error }, 'recurring work failed'))
          .finally(() => running.delete(piece))
        running.add(piece)
      }
    } catch (error) {
      logger.error({ err: error }, 'recurring work was not claimed; it is tried again')
    }
    if (isBacklog && running.size > 0 && (claimed.length > 0 || running.size >= most)) await Promise.race(running)
    else await pause(claimEveryMs, undefined, { signal: stopping }).catch(() => undefined)
  }
  await Promise.all(running)
}

/** Of an earlier version: nobody would work their jobs, which would wait for ever. */
async function removeFormerSchedules(boss: PgBoss, definitions: Definition[]) {
  const current = new Set(definitions.filter(({ cron }) => cron).map(({ name }) => name))
  for (const { name } of await boss.getSchedules()) {
    if (current.has(name)) continue
    await boss.unschedule(name)
    await boss.deleteQueue(name)
  }
}

/** Retries while the database is away, because the process already serves pages. */
async function persist(step: () => Promise<unknown>, stopping: AbortSignal) {
  while (!stopping.aborted) {
    try {
      await step()
      return
    } catch (error) {
      logger.error({ err: error }, 'the queue cannot start; it is tried again')
      await pause(1_000, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
}

/** Runs the queue's statements in our transaction. */
function over(tx: Database) {
  return fromDrizzle(tx as Parameters<typeof fromDrizzle>[0], sql)
}
