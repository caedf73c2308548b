import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { followLog } from '#src/server/testing/follow-log.ts'
import { checkNames } from '#src/lib/doctor-texts.ts'
import type { ConnectionCheck, SystemHealth } from './contract.ts'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  product = await startTestApp({ queue: true })
  staff = await product.signIn({ updates: 'read_only' })
})
afterAll(() => product.stop())

const read = async (range = 'hour') => (await staff.get<SystemHealth>(`/api/etat?range=${range}`)).body

test('reports the database, the queue, the mail, the disk and the backups', async () => {
  const health = await read()
  expect(health.database).toMatchObject({ status: 'OK' })
  expect(health.database.size).toBeGreaterThan(1_000_000)
  expect(health.queue).toMatchObject({ status: 'OK', is_ready: true, oldest_minutes: 0 })
  expect(health.mail).toMatchObject({ status: 'WARNING', can_send: false, waiting: 0, failed: 0, last_error: null })
  expect(health.disk.total).toBeGreaterThan(health.disk.free)
  expect(health.backups).toEqual({ status: 'WARNING', count: 0, last: null })
  expect(health.version).toMatch(/^\d+\.\d+\.\d+/)
  expect(Date.parse(health.started_at)).toBeLessThan(Date.parse(health.taken_at))
})

test('reports the last backup', async () => {
  const folder = join(product.dataDir, 'backups')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'night-2026-11-20T02-30-00.tar.gz'), 'x')
  writeFileSync(join(folder, 'whole-2026-11-20T09-00-00.tar.gz.part'), '')
  const { backups } = await read()
  expect(backups).toMatchObject({ status: 'OK', count: 1, last: { name: 'night-2026-11-20T02-30-00.tar.gz', size: 1 } })
})

test('a job that fails is logged, counted and reported, until a later one succeeds', async () => {
  const log = followLog()
  let fails = true
  const broken = await startTestApp({
    queue: true,
    environment: { METRICS_TOKEN: 'a-token-of-the-metrics' },
    prepare: async (app) => {
      app.queue.define('breaks', { retryLimit: 0, retryDelay: 1, retryBackoff: false }, async () => {
        if (fails) throw new Error('the disk is full')
      })
    },
  })
  const administrator = await broken.signIn({ updates: 'read_only' })
  const failing = async () =>
    (await administrator.get<SystemHealth>('/api/etat')).body.reports.filter(({ lines }) =>
      lines.some(({ en }) => en.startsWith('“breaks” failed')),
    )
  const send = () => broken.app.queue.send(broken.db, 'breaks', { data: {}, key: 'one' })
  await expect.poll(broken.app.queue.isReady).toBe(true)
  await send()
  await expect.poll(failing).toMatchObject([{ status: 'ERROR' }])
  expect(log.lines()).toContainEqual(
    expect.objectContaining({
      msg: 'a job failed',
      queue: 'breaks',
      err: expect.objectContaining({ message: 'the disk is full' }),
    }),
  )
  log.stop()
  const headers = { authorization: 'Bearer a-token-of-the-metrics' }
  expect((await administrator.get('/metrics', { headers })).text).toContain('guichet_job_failures_total{queue="breaks"} 1')
  fails = false
  const detailed = followLog('debug')
  await administrator.get('/healthz')
  await send()
  await expect.poll(failing).toEqual([])
  // The level debug adds each health check, and each job with its time.
  const added = () => detailed.lines().map(({ path, msg, queue }) => path ?? [msg, queue].join(' '))
  await expect.poll(added).toEqual(expect.arrayContaining(['/healthz', 'job done breaks']))
  detailed.stop()
  await broken.stop()
})

test('health checks that succeed are not in the log, others are', async () => {
  const log = followLog()
  const visitor = await product.client()
  await visitor.get('/healthz')
  await visitor.get('/readyz')
  await visitor.get('/healthz/none')
  await expect.poll(() => log.lines().map(({ path }) => path)).toContain('/healthz/none')
  log.stop()
  expect(log.lines().filter(({ path }) => path === '/healthz' || path === '/readyz')).toEqual([])
})

test('says how long the files of the database hold what was deleted', async () => {
  const { upkeep } = product.app
  const report = async () => (await read()).reports.find(({ label }) => label.en === 'Deleted data')
  const shown = (text: string) => ({ status: 'OK', lines: [{ en: expect.stringContaining(text) as string }] })
  expect(await report()).toMatchObject(shown(upkeep ? 'until the first rewriting' : 'VACUUM FULL'))
  await upkeep?.run()
  expect(await report()).toMatchObject(shown(upkeep ? 'the longest held everything up for' : 'VACUUM FULL'))
})

test('returns samples of the last hour and of the last day', async () => {
  // A period of the day may end between two of them.
  for (let count = 0; count < 3; count += 1) await product.app.samples.take()
  const hour = await read()
  expect(hour.samples.length).toBeGreaterThanOrEqual(4)
  expect(hour.samples.at(-1)).toMatchObject({ sockets: 0, chats_waiting: 0, queue_depth: expect.any(Number) })
  const { samples } = await read('day')
  expect(samples.length).toBeGreaterThanOrEqual(1)
  expect(samples.length).toBeLessThan(hour.samples.length)
  expect((await staff.get('/api/etat?range=week')).status).toBe(400)
})

test('lists the checks of the command, in both languages, with what to do', async () => {
  const response = await fetch(`${product.origin}/api/etat/checks`, { headers: { cookie: staff.cookieHeader() } })
  expect(response.status).toBe(200)
  const text = await response.text()
  const checks = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ConnectionCheck)
  expect(checks.map(({ check }) => check).toSorted()).toEqual([...checkNames].toSorted())
  expect(checks.find(({ check }) => check === 'smtp')).toEqual({
    check: 'smtp',
    state: 'skip',
    message: { fr: 'SMTP_URL n’est pas défini', en: 'SMTP_URL is not set' },
    fix: null,
  })
  for (const { state, fix } of checks) expect(fix === null).toBe(state === 'ok' || state === 'skip')
  expect((await (await product.signIn({ chat: 'administrator' })).get('/api/etat/checks')).status).toBe(403)
})

test('rejects callers without the right to updates', async () => {
  expect((await (await product.signIn({ chat: 'administrator' })).get('/api/etat')).status).toBe(403)
  expect((await (await product.client()).get('/api/etat')).status).toBe(401)
})
