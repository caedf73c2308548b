import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { SystemState } from './contract.ts'

let product: TestApp
let keeper: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  product = await startTestApp({ queue: true })
  keeper = await product.signIn({ updates: 'read_only' })
})
afterAll(() => product.stop())

const read = async (range = 'hour') => (await keeper.get<SystemState>(`/api/etat?range=${range}`)).body

test('tells how the database, the queue, the mail, the disk and the backups are', async () => {
  const state = await read()
  expect(state.database).toMatchObject({ status: 'OK' })
  expect(state.database.size).toBeGreaterThan(1_000_000)
  expect(state.queue).toMatchObject({ status: 'OK', is_ready: true, oldest_minutes: 0 })
  expect(state.mail).toMatchObject({ status: 'WARNING', can_send: false, waiting: 0, failed: 0, last_error: null })
  expect(state.disk.total).toBeGreaterThan(state.disk.free)
  expect(state.backups).toEqual({ status: 'WARNING', count: 0, last: null })
  expect(state.version).toMatch(/^\d+\.\d+\.\d+/)
  expect(Date.parse(state.started_at)).toBeLessThan(Date.parse(state.taken_at))
})

test('knows the last backup', async () => {
  const folder = join(product.dataDir, 'backups')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'night-2026-11-20T02-30-00.tar.gz'), 'x')
  writeFileSync(join(folder, 'whole-2026-11-20T09-00-00.tar.gz.part'), '')
  const { backups } = await read()
  expect(backups).toMatchObject({ status: 'OK', count: 1, last: { name: 'night-2026-11-20T02-30-00.tar.gz', size: 1 } })
})

test('has samples of the last hour and of the last day', async () => {
  await product.app.samples.take()
  const hour = await read()
  expect(hour.samples.length).toBeGreaterThanOrEqual(2)
  expect(hour.samples.at(-1)).toMatchObject({ sockets: 0, chats_waiting: 0, queue_depth: 0 })
  const { samples } = await read('day')
  expect(samples.length).toBeGreaterThanOrEqual(1)
  expect(samples.length).toBeLessThan(hour.samples.length)
  expect((await keeper.get('/api/etat?range=week')).status).toBe(400)
})

test('is for who looks after the product alone', async () => {
  expect((await (await product.signIn({ chat: 'administrator' })).get('/api/etat')).status).toBe(403)
  expect((await (await product.client()).get('/api/etat')).status).toBe(401)
})
