import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Cluster } from './cluster.ts'
import { createBus } from './redis-bus.ts'
import { createLocalFirstAdapters } from './redis-adapter.ts'
import { openConnections } from './redis-connections.ts'

const startMs = 2_000

/** The instances that share one Redis; its database number keeps two products on one Redis apart. */
export async function joinRedis(url: string): Promise<Cluster> {
  const prefix = `guichet:${new URL(url).pathname.slice(1) || '0'}`
  const connections = openConnections(url)
  const bus = createBus(connections, `${prefix}:bus`)
  // A Redis that is not there yet does not keep the product from starting.
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
