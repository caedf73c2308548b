import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '#src/app/app.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { App } from '#src/server/types.ts'
import { followStream } from '../testing/follow-stream.ts'
import { createChangeLog, storeChangeLog, takeChangeLog } from './change-log.ts'

let product: TestApp
let running: App
const folder = mkdtempSync(join(tmpdir(), 'guichet-live-'))
beforeAll(async () => {
  product = await startTestApp()
  running = product.app
})
afterAll(async () => {
  await running.close()
  await product.stop()
  rmSync(folder, { recursive: true })
})

/** Starts the product on the same database and folder; `meanwhile` happens while it is stopped. */
async function restart(meanwhile: () => Promise<void> = async () => {}) {
  await running.close()
  await meanwhile()
  await start()
}

async function start() {
  running = await buildApp(product.app.config, product.database, 'none')
  await running.listen({ port: 0, host: '127.0.0.1' })
}

const areas = () => product.app.features.flatMap(({ liveAreas = [] }) => liveAreas)
const last = () => areas().at(-1) ?? ''

/** The areas that a page which saw everything until `after` is notified of; the last one is published here. */
async function notified(after: number) {
  const page = await followStream(`${running.listeningOrigin}/api/live`, { 'last-event-id': String(after) })
  // The first line of a stream is sent once it follows.
  await page.next('retry:')
  running.events.changed(last())
  const text = await page.next(`"${last()}"`)
  page.close()
  return [...text.matchAll(/"area":"(\w+)"/g)].map(([, area]) => area)
}

test('after a restart a page learns of the changes that it missed, and of nothing else', async () => {
  const before = Date.now()
  running.events.changed('notes')
  const seen = Date.now() + 1
  await restart()
  expect(await notified(seen)).toEqual([last()])
  await restart()
  expect(await notified(before - 1)).toEqual(['notes', last()])
})

test('after a kill a page loads all areas', async () => {
  const killed = running
  const seen = Date.now()
  await start()
  expect(await notified(seen)).toEqual(areas())
  await killed.close()
})

test('what a command changed while the product was stopped makes a page load all areas', async () => {
  const seen = Date.now() + 1
  const author = { userId: null, name: 'guichet', address: '' }
  await restart(() => product.db.transaction((tx) => recordChange(tx, author, { area: 'networks', action: 'update' })))
  expect(await notified(seen)).toEqual(areas())
})

test('the log of a stop is used once, and not beyond a planned change', async () => {
  const log = createChangeLog(['notes'], null)
  log.add('notes')
  await storeChangeLog(folder, product.db, log.read(), 60)
  expect(await takeChangeLog(folder, product.db)).toEqual(log.read())
  expect(await takeChangeLog(folder, product.db)).toBeNull()
  await storeChangeLog(folder, product.db, log.read(), 0)
  expect(await takeChangeLog(folder, product.db)).toBeNull()
  writeFileSync(join(folder, 'live-changes.json'), '{"lastId": 12')
  expect(await takeChangeLog(folder, product.db)).toBeNull()
})

test('of two hundred changes and more, a page that missed the first loads all areas', () => {
  const log = createChangeLog(['notes', 'home'], null)
  const first = log.add('notes')
  for (let number = 0; number < 200; number += 1) log.add('notes')
  expect(log.missedSince(first - 1).map(({ area }) => area)).toEqual(['notes', 'home'])
  expect(log.missedSince(first).map(({ area }) => area)).toEqual(['notes'])
})
