import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pause, trusting } from '../chaos/clients.ts'
import { startRedis } from '../chaos/instances.ts'
import { startPostgres } from '../chaos/postgres.ts'
import type { Product } from '../e2e/product.ts'
import { administrator, startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { memoryOf } from './child.ts'
import type { Asked, State } from './follower-process.ts'
import { printTable } from './table.ts'

/** Files that a process needs besides its streams. */
const otherFiles = 1_000
const longestMs = 300_000
const changes = 3

type Instance = { product: Product; followers: ChildProcess }

/**
 * Followers of the status page: what a live stream takes, when all are notified of a change and each page has loaded it, what
 * another visitor waits for meanwhile, and what a restart costs. `FOLLOWERS` says how many; what is more than one process may
 * open files for is spread over several, with PostgreSQL and Redis.
 */
export async function benchFollowers() {
  const most = Number(/Max open files\s+\d+\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) - otherFiles
  const wanted = Number(process.env.FOLLOWERS ?? most)
  const count = Math.ceil(wanted / most)
  const shared = count > 1 ? { postgres: await startPostgres(), redis: await startRedis() } : null
  const environment = {
    ...trusting,
    SESSION_SECRET: 'b'.repeat(64),
    ...(shared && { DATABASE_URL: shared.postgres.url, REDIS_URL: shared.redis.url }),
  }
  const instances: Instance[] = []
  try {
    for (let number = 0; number < count; number += 1) {
      const product = await startProduct({ ...environment })
      const port = new URL(product.address()).port
      const followers = fork(join(import.meta.dirname, 'follower-process.ts'), [port, String(number * most)])
      instances.push({ product, followers })
    }
    const before = memoryIn(instances)
    for (const [number, { followers }] of instances.entries()) {
      await ask(followers, { follow: Math.min(most, wanted - number * most) })
      process.stderr.write(`${Math.min(wanted, (number + 1) * most)} of ${wanted} followers\n`)
    }
    await pause(5_000)
    const each = (memoryIn(instances) - before) / wanted
    const client = await createTestClient(instances[0]?.product.address() ?? '').arrive()
    await client.post('/api/auth/login', administrator)
    const seen = await change(instances, wanted, client)
    const queries = shared && (await countReads(shared.postgres.url, () => changeOnce(instances, wanted, client, 'Dernier avis')))
    const returned = await restart(instances, wanted)
    printTable(`Followers of the status page, on ${availableParallelism()} cores (wanted: 95 % back within 30 s)`, [
      {
        processes: count,
        streams: wanted,
        'each (KB)': each / 1_024,
        ...seen,
        ...(queries !== null && { 'reads of the table': queries }),
      },
    ])
    printTable('After a restart of all processes at once', [returned])
    if (count > 1) printTable('After a restart of one process after the other', [await restartInTurn(instances)])
  } finally {
    for (const { followers } of instances) followers.disconnect()
    await Promise.all(instances.map(({ product }) => product.stop()))
    await Promise.all([shared?.postgres.remove(), shared?.redis.remove()])
  }
}

const memoryIn = (instances: Instance[]) => instances.reduce((sum, { product }) => sum + memoryOf(product.pid()), 0)

async function ask(followers: ChildProcess, asked: Asked): Promise<unknown> {
  const answered = once(followers, 'message')
  followers.send(asked)
  return (await answered)[0]
}

async function stateOf(instances: Instance[]) {
  const states = (await Promise.all(instances.map(({ followers }) => ask(followers, 'state')))) as State[]
  const sum = (name: keyof State) => states.reduce((total, state) => total + state[name], 0)
  return { open: sum('open'), notified: sum('notified'), loaded: sum('loaded') }
}

type Client = Awaited<ReturnType<ReturnType<typeof createTestClient>['arrive']>>

/** Publishes a notice and waits until every follower has loaded it. */
async function changeOnce(instances: Instance[], wanted: number, client: Client, note: string) {
  const changedAt = Date.now()
  for (const { followers } of instances) await ask(followers, { changedAt })
  await client.post('/api/notes/notes', { note_date: '', note, note_en: note })
  let notifiedMs: number | undefined
  for (;;) {
    const { notified, loaded } = await stateOf(instances)
    if (notified >= wanted) notifiedMs ??= Date.now() - changedAt
    if (loaded >= wanted) break
    if (Date.now() - changedAt > longestMs) throw new Error(`${loaded} of ${wanted} loaded a change`)
    await pause(100)
  }
  const delays = (await Promise.all(instances.map(({ followers }) => ask(followers, 'delays')))) as number[][]
  return { notifiedMs: notifiedMs ?? Number.NaN, loadedMs: delays.flat() }
}

async function change(instances: Instance[], wanted: number, client: Client) {
  const notified: number[] = []
  const loaded: number[] = []
  const waits: number[] = []
  for (let at = 0; at < changes; at += 1) {
    const address = instances.at(-1)?.product.address()
    const asking = setInterval(() => {
      const askedAt = performance.now()
      void fetch(`${address}/healthz`).then(() => waits.push(performance.now() - askedAt))
    }, 20)
    const { notifiedMs, loadedMs } = await changeOnce(instances, wanted, client, `Avis ${at}`)
    clearInterval(asking)
    notified.push(notifiedMs)
    loaded.push(...loadedMs)
  }
  for (const list of [notified, loaded, waits]) list.sort((one, other) => one - other)
  const at = (list: number[], part: number) => list[Math.floor((list.length - 1) * part)] ?? Number.NaN
  return {
    'all notified (ms)': at(notified, 0.5),
    'loaded by half (ms)': at(loaded, 0.5),
    'by the last (ms)': at(loaded, 1),
    'healthz meanwhile, p50 (ms)': at(waits, 0.5),
    'p99 (ms)': at(waits, 0.99),
    'most (ms)': at(waits, 1),
  }
}

/** How often PostgreSQL read the table of notices during some work. */
async function countReads(url: string, work: () => Promise<unknown>) {
  const reads = async () => {
    // Its sessions report what they read ten seconds after their last statement at the latest.
    await pause(11_000)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ reads: string }>(
      `select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as reads from pg_stat_user_tables where relname = 'notes'`,
    )
    await client.end()
    return Number(rows[0]?.reads)
  }
  const before = await reads()
  await work()
  return (await reads()) - before
}

/** The longest of the restarts of one process each, with its streams alone; the others serve meanwhile. */
async function restartInTurn(instances: Instance[]) {
  const restarts: Awaited<ReturnType<typeof restart>>[] = []
  for (const instance of instances) {
    const { open } = await stateOf([instance])
    restarts.push(await restart([instance], open))
    process.stderr.write(`${restarts.length} of ${instances.length} restarted\n`)
  }
  const longest = restarts.reduce((one, other) => (other['95 % back (s)'] > one['95 % back (s)'] ? other : one))
  return { ...longest, 'back in the end': (await stateOf(instances)).open }
}

/** From the signal that ends the servers until 95 % of the streams are open again, and how many pages were asked to load again. */
async function restart(instances: Instance[], wanted: number) {
  const startedAt = Date.now()
  for (const { followers } of instances) await ask(followers, { changedAt: startedAt })
  await Promise.all(instances.map(({ product }) => product.restart('SIGTERM')))
  const readyMs = Date.now() - startedAt
  while ((await stateOf(instances)).open < wanted * 0.95 && Date.now() - startedAt < longestMs) await pause(100)
  const backMs = Date.now() - startedAt
  await pause(5_000)
  const { notified, open } = await stateOf(instances)
  return {
    'ready again (s)': readyMs / 1_000,
    '95 % back (s)': backMs / 1_000,
    'back in the end': open,
    'asked to load again': notified,
  }
}
