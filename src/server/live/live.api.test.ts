import { afterAll, beforeAll, expect, test } from 'vitest'
import { followStream } from '../testing/follow-stream.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { findReturnMs } from './live.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const openStream = (query: string, headers?: Record<string, string>) =>
  followStream(`${product.origin}/api/live${query}`, headers)

const idIn = (text: string) => Number(/^id: (\d+)$/m.exec(text)?.[1])

test('a page receives changes between its rendering and its stream, once', async () => {
  const made = Date.now()
  product.app.events.changed('home')
  product.app.events.changed('notes')
  product.app.events.changed('home')
  const page = await openStream(`?after=${made - 1}`)
  const caughtUp = await page.next('"home"')
  expect(caughtUp.match(/event: changed/g)).toHaveLength(2)
  product.app.events.changed('jobs')
  const last = idIn((await page.next('"jobs"')).split('\n\n').find((part) => part.includes('"jobs"')) ?? '')
  page.close()

  product.app.events.changed('employees')
  const again = await openStream(`?after=${made - 1}`, { 'last-event-id': String(last) })
  const missed = await again.next('"employees"')
  expect(missed.match(/event: changed/g)).toHaveLength(1)
  again.close()
})

test('among several instances a page gets once what it received from the same one, and what another one may not have sent', async () => {
  const { app } = product
  const { cluster } = app
  app.cluster = { ...cluster, isAlone: false }
  try {
    const page = await openStream('')
    await page.next('retry:')
    app.events.changed('home')
    const received = idIn((await page.next('"home"')).split('\n\n').find((part) => part.includes('"home"')) ?? '')
    page.close()
    app.events.changed('jobs')
    const missedAfter = async (id: number) => {
      const again = await openStream('', { 'last-event-id': String(id) })
      const text = await again.next('"jobs"')
      again.close()
      return [...text.matchAll(/"area":"(\w+)"/g)].map(([, area]) => area)
    }
    expect(await missedAfter(received)).toEqual(['jobs'])
    // By the clock of another one.
    expect(await missedAfter(received + 60)).toContain('home')
  } finally {
    app.cluster = cluster
  }
})

test('a page rendered before the server started receives all areas', async () => {
  const areas = product.app.features.flatMap(({ liveAreas = [] }) => liveAreas)
  const page = await openStream('?after=1')
  expect((await page.next(`"${areas.at(-1)}"`)).match(/event: changed/g)).toHaveLength(areas.length)
  page.close()
})

test('few pages come back within five seconds, many a thousand a second', () => {
  expect([0, 0.999].map((random) => findReturnMs(3_000, random))).toEqual([2_000, 4_997])
  expect([0, 0.999].map((random) => findReturnMs(15_000, random))).toEqual([2_000, 16_985])
})

test('a page is told when to come back as the server ends', async () => {
  const ending = await startTestApp()
  const response = await fetch(`${ending.origin}/api/live`)
  await ending.stop()
  const times = [...(await response.text()).matchAll(/^retry: (\d+)\n\n/gm)].map(([, ms]) => Number(ms))
  expect(times).toHaveLength(2)
  for (const ms of times) expect(ms >= 2_000 && ms < 5_000).toBe(true)
})

test('rejects an unknown parameter', async () => {
  expect((await fetch(`${product.origin}/api/live?since=1`)).status).toBe(400)
})
