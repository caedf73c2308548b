import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../../e2e/product.ts'
import { createTestClient } from '../../src/app/testing/test-client.ts'
import { startTestImap } from '../../src/server/testing/test-imap.ts'
import { startTestSmtp } from '../../src/server/testing/test-smtp.ts'
import { pause } from '../clients.ts'
import { fill, mount, unmount } from '../disk.ts'
import { startRedis } from '../instances.ts'
import { newJournal } from './journal.ts'
import type { Lane } from './lane.ts'
import { settings } from './lane.ts'
import type { At } from './steps.ts'
import { startWire } from './wire.ts'

const dataMb = 64
const watchMs = 200
/** A start gives up after 15 seconds without its database; a supervisor then starts it again. */
const restartPauseMs = 300

export type World = Awaited<ReturnType<typeof startWorld>>

/** Two instances with their servers, each behind a network that can fail. */
export async function startWorld(lane: Lane) {
  const [database, redis, smtp, imap] = await Promise.all([lane.createDatabase(), startRedis(), startTestSmtp(), startTestImap()])
  const journal = newJournal(smtp.received)
  const mailWire = await startWire(Number(new URL(smtp.url).port))
  const shared = { database, redis: redis.port, mail: mailWire.port, imap: imap.url }
  const [first, second] = await Promise.all(
    ([0, 1] as const).map((at) => startInstance(lane, at, shared, (text) => journal.noticed.push(text))),
  )
  if (!first || !second) throw new Error('two instances were asked for')
  const instances = [first, second] as const
  const frames = { fault: null as 'dropped' | 'repeated' | null, wasDropped: false }

  return {
    lane,
    journal,
    instances,
    frames,
    redis,
    smtp,
    imap,
    mailWire,
    query: (text: string) => lane.query(text, database),
    /** A client of the API for a technician, or for somebody without a session. */
    client: (at: At, technician?: number) => {
      const client = createTestClient(instances[at].address())
      const cookies = technician === undefined ? [] : (lane.technicians[technician]?.cookies ?? [])
      for (const [name, value] of cookies) client.cookies.set(name, value)
      return client
    },
    async stop() {
      await Promise.all(instances.map((one) => one.stop()))
      mailWire.close()
      await Promise.all([redis.remove(), smtp.stop(), imap.stop()])
      await lane.dropDatabase(database)
    },
  }
}

type Shared = { database: string; redis: number; mail: number; imap: string }

async function startInstance(lane: Lane, at: At, shared: Shared, notice: (text: string) => void) {
  const [databaseWire, redisWire] = await Promise.all([startWire(lane.port), startWire(shared.redis)])
  const folder = mkdtempSync(join(tmpdir(), 'guichet-model-'))
  const disk = mkdtempSync(join(tmpdir(), 'guichet-model-'))
  if (lane.hasDisks) mount(disk, dataMb)
  const clock = join(folder, 'shift')
  writeFileSync(clock, '0')
  const environment = {
    ...settings,
    DATABASE_URL: `postgres://postgres:postgres@127.0.0.1:${databaseWire.port}/${shared.database}`,
    REDIS_URL: `redis://127.0.0.1:${redisWire.port}/3`,
    SMTP_URL: `smtp://127.0.0.1:${shared.mail}`,
    IMAP_URL: shared.imap,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '../shifted-clock.mjs')}`,
    CLOCK_FILE: clock,
  }
  const product = await startProduct(environment, join(disk, 'data'), lane.program)
  const state = { isOver: false, isKilled: false }

  /** Starts it again whenever it ended, as systemd does. */
  async function supervise() {
    let isStarting = false
    while (!state.isOver) {
      await pause(watchMs)
      if (product.isRunning()) {
        isStarting = false
        continue
      }
      if (state.isOver) return
      if (!state.isKilled && !isStarting) notice(`instance ${at} stopped by itself (${await product.end('SIGKILL')})`)
      state.isKilled = false
      isStarting = true
      await pause(restartPauseMs)
      await product.restart('SIGKILL').catch(() => undefined)
    }
  }
  const supervising = supervise()

  return {
    address: product.address,
    databaseWire,
    redisWire,
    log: product.log,
    kill() {
      state.isKilled = true
      signal('SIGKILL')
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    setClock: (shiftMs: number) => writeFileSync(clock, String(shiftMs)),
    fillDisk: () => fill(disk),
    async isReady() {
      const response = await fetch(`${product.address()}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
      return product.isRunning() && response?.status === 200
    },
    async stop() {
      state.isOver = true
      signal('SIGCONT')
      await supervising
      await product.end('SIGKILL')
      await product.stop()
      databaseWire.close()
      redisWire.close()
      if (lane.hasDisks) unmount(disk)
      for (const one of [folder, disk]) rmSync(one, { recursive: true, force: true })
    },
  }

  function signal(name: NodeJS.Signals) {
    if (product.isRunning()) process.kill(product.pid(), name)
  }
}
