import { startProduct } from '../e2e/product.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { startRoundRobin } from './round-robin.ts'

const secret = 'the-same-secret-on-each-of-the-instances'

/** Three instances that start at once on an empty PostgreSQL, with one Redis, behind a balancer. */
export async function startInstances(program?: string) {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const shared = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, SESSION_SECRET: secret, DEMO: '1', TRUST_PROXY: '1' }
  const [a, b, c] = await Promise.all([1, 2, 3].map(() => startProduct({ ...shared }, undefined, program)))
  if (!a || !b || !c) throw new Error('three instances were asked for')
  const balancer = await startRoundRobin(() => [a, b, c].map((one) => Number(new URL(one.address()).port)))
  return {
    a,
    b,
    c,
    balancer,
    postgres,
    redis,
    async stop() {
      balancer.close()
      await Promise.all([a.stop(), b.stop(), c.stop()])
      await Promise.all([postgres.remove(), redis.remove()])
    },
  }
}

export type Instances = Awaited<ReturnType<typeof startInstances>>
