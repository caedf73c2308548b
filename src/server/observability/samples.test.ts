import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'
import { watchSamples } from './samples.ts'
import type { App } from '../types.ts'

const minute = 60_000

test('stores the last hour in full, and the last day in five-minute samples', async () => {
  const app = { metrics: createMetrics(false), addHook: () => undefined } as unknown as App
  app.metrics.gauge('guichet_sockets', 'Connected sockets', () => 3)
  const samples = watchSamples(app)
  const startedAt = Date.now()
  for (let passed = 0; passed <= 26 * 60; passed += 1) await samples.take(startedAt + passed * minute)
  const now = startedAt + 26 * 60 * minute
  const hour = samples.lastHour(now)
  expect(hour).toHaveLength(60)
  expect(hour.at(-1)).toMatchObject({ at: now, sockets: 3, request_p95: null })
  // This metric is not measured in the test.
  expect(hour.at(-1)?.chats_waiting).toBeNull()
  const day = samples.lastDay()
  expect(day.length).toBeGreaterThan(285)
  expect(day.length).toBeLessThan(292)
  expect(day[0]?.at).toBeGreaterThan(now - 25 * 60 * minute)
})
