import { RateLimiterRedis } from 'rate-limiter-flexible'
import { Redis } from 'ioredis'
import type { Cluster } from './cluster.ts'
import { createBus } from './redis-bus.ts'
import { createLocalFirstAdapters } from './redis-adapter.ts'
import { logger } from '../log.ts'

const startMs = 2_000

/** Joins the instances that share a Redis; its database number separates two products on one Redis. */
export async function joinRedis(url: string): Promise<Cluster> {
  const prefix = `guichet:${new URL(url).pathname.slice(1) || '0'}`
  const connections = openConnections(url)
  const bus = createBus(connections, `${prefix}:bus`)
  // An unavailable Redis must not prevent the start.
  await Promise.race([bus.ready, new Promise((resolve) => setTimeout(resolve, startMs).unref())])

  const sockets = createLocalFirstAdapters(connections.main, prefix)
  return {
    isAlone: false,
    ...bus.cluster,
    adapter: sockets.adapter,
    countTogether: (name, { points, seconds }, counter) =>
      new RateLimiterRedis({
        storeClient: connections.counters,
        rejectIfRedisNotReady: true,
        keyPrefix: `${prefix}:${name}`,
        points,
        duration: seconds,
        insuranceLimiter: counter,
      }),
    async close() {
      await bus.close()
      sockets.close()
      connections.close()
    },
  }
}

const waits = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  /** Detects a dead connection by the missing reply; blocking reads take 5 s. */
  socketTimeout: 12_000,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 1_000),
}

/**
 * `main` writes and queues while offline, `listener` subscribes, `counters` fails fast. An outage is logged once, and its end.
 */
function openConnections(url: string) {
  const all: Redis[] = []
  let isReported = false
  const watch = (connection: Redis) => {
    connection.on('error', (error: Error) => {
      if (!isReported) logger.warn({ reason: error.message }, 'Redis does not answer: each instance goes on by itself')
      isReported = true
    })
    connection.on('ready', () => {
      if (isReported && all.every(({ status }) => status === 'ready')) {
        isReported = false
        logger.info('Redis answers again')
      }
    })
    all.push(connection)
    return connection
  }
  const main = watch(new Redis(url, { ...waits, maxRetriesPerRequest: null }))
  const duplicate = main.duplicate.bind(main)
  main.duplicate = (override) => {
    const made = watch(duplicate(override))
    readFromStart(made)
    return made
  }
  return {
    main,
    listener: main.duplicate(),
    counters: watch(new Redis(url, { ...waits, enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 500 })),
    close() {
      for (const connection of all) connection.disconnect()
    },
  }
}

export type Connections = ReturnType<typeof openConnections>

/**
 * Until its first message the adapter reads from `$` (new messages) and misses what arrives between two reads; a fixed id
 * misses nothing. Ids are times of Redis: this clock may be ahead of it, and would skip all messages until then.
 */
function readFromStart(reader: Redis) {
  const createdAt = performance.now()
  const send = reader.sendCommand.bind(reader)
  let start: Promise<string> | undefined
  const findStart = async () => {
    const [seconds, microseconds] = await reader.time()
    const elapsedMs = performance.now() - createdAt
    return `${Math.floor(Number(seconds) * 1_000 + Number(microseconds) / 1_000 - elapsedMs)}-0`
  }
  reader.sendCommand = (command, stream) => {
    if (command.name !== 'xread' || command.args.at(-1) !== '$') return send(command, stream)
    start ??= findStart()
    start.then(
      (id) => {
        command.args.splice(-1, 1, id)
        send(command, stream)
      },
      (error: Error) => {
        start = undefined
        command.reject(error)
      },
    )
    return command.promise
  }
}
