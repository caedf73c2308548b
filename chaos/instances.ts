import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { startProduct } from '../e2e/product.ts'
import { startPostgres } from './postgres.ts'
import { freePort } from '../src/server/testing/free-port.ts'

const secret = 'the-same-secret-on-each-of-the-instances'

/** Starts three instances at once on an empty PostgreSQL, with one Redis, behind a load balancer. */
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

/** A Redis without persistence: its data is lost when it stops. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  async function start() {
    const child = spawn(process.env.REDIS_SERVER ?? 'redis-server', [
      ...['--port', String(port), '--bind', '127.0.0.1'],
      ...['--save', '', '--appendonly', 'no', '--dir', folder],
    ])
    server = child
    await new Promise<void>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Ready to accept connections')) resolve()
      })
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`redis-server stopped (${code}):\n${output}`)))
    })
  }
  async function stop() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }

  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}/3`,
    start,
    stop,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A round-robin load balancer without sticky sessions. */
async function startRoundRobin(ports: () => number[]) {
  const open = new Set<Socket>()
  let turn = 0

  function hand(client: Socket, triesLeft: number) {
    const all = ports()
    const port = all[turn % all.length] ?? 0
    turn += 1
    const instance = connect(port, '127.0.0.1')
    let isReached = false
    instance.once('connect', () => {
      isReached = true
      client.pipe(instance).pipe(client)
      client.once('close', () => instance.destroy())
      instance.once('close', () => client.destroy())
    })
    instance.on('error', () => {
      if (!isReached && triesLeft > 0) hand(client, triesLeft - 1)
      else client.destroy()
    })
  }

  const server = createServer((client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    hand(client, ports().length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Makes the next connection go to this instance. */
    beginAt(index: number) {
      turn = index
    },
    close() {
      for (const client of open) client.destroy()
      server.close()
    },
  }
}
