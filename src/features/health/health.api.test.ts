import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { SystemHealth } from './contract.ts'

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

test('returns samples of the last hour and of the last day', async () => {
  await product.app.samples.take()
  const hour = await read()
  expect(hour.samples.length).toBeGreaterThanOrEqual(2)
  expect(hour.samples.at(-1)).toMatchObject({ sockets: 0, chats_waiting: 0, queue_depth: 0 })
  const { samples } = await read('day')
  expect(samples.length).toBeGreaterThanOrEqual(1)
  expect(samples.length).toBeLessThan(hour.samples.length)
  expect((await staff.get('/api/etat?range=week')).status).toBe(400)
})

test('rejects callers without the right to updates', async () => {
  expect((await (await product.signIn({ chat: 'administrator' })).get('/api/etat')).status).toBe(403)
  expect((await (await product.client()).get('/api/etat')).status).toBe(401)
})
