import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'

const token = 'a-token-of-the-metrics'
let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { METRICS_TOKEN: token }, queue: true })
})
afterAll(() => product.stop())

test('metrics require the token, and are by route, never by address', async () => {
  const client = await product.client()
  await client.get('/api/networks/reseau/999')
  product.app.metrics.messageTook('visitor', 12)
  const { status, text, headers } = await client.get('/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toContain('guichet_http_request_seconds_count{method="GET",route="/api/networks/reseau/:id",status="404"} 1')
  expect(text).toMatch(/^guichet_sockets 0$/m)
  expect(text).toMatch(/^guichet_mails_waiting 0$/m)
  expect(text).toMatch(/^guichet_chats_waiting 0$/m)
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).toContain('guichet_chat_message_seconds_bucket{le="0.025",side="visitor"} 1')
  expect(text).toMatch(/^guichet_mail_failures_total 0$/m)
  expect(text).toContain('# TYPE guichet_queue_jobs gauge')
})

/** Only exported where Redis is configured. */
const ofSeveral = ['guichet_instances', 'guichet_redis_connected']

test.each(['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yml', 'docs/operations.md'])(
  '%s names existing metrics',
  async (path) => {
    const { text } = await (await product.client()).get('/metrics', { headers: { authorization: `Bearer ${token}` } })
    const whole = readFileSync(path, 'utf8')
    // The documents mention other names as well, so only tables are read.
    const figures = path.endsWith('.md')
      ? (whole
          .slice(whole.indexOf('## Metrics'))
          .match(/^\|.*$/gm)
          ?.join('\n') ?? '')
      : whole
    const named = [...figures.matchAll(/\b(?:guichet|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(8)
    const known = [...ofSeveral, ...[...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)]
    expect(known).toEqual(expect.arrayContaining(named.map((name) => name.replace(/_bucket$|_count$|_sum$/, ''))))
  },
)

test('while the database fails, metrics are returned without the gauges that need it', async () => {
  const broken = await startTestApp({ environment: { METRICS_TOKEN: token } })
  const visitor = await broken.client()
  const headers = { authorization: `Bearer ${token}` }
  expect((await visitor.get('/metrics', { headers })).text).toMatch(/^guichet_database_up 1$/m)
  await broken.db.execute(sql`alter table mails rename to lost_mails`)
  const { status, text } = await visitor.get('/metrics', { headers })
  expect(status).toBe(200)
  expect(text).toMatch(/^guichet_sockets 0$/m)
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toMatch(/^guichet_mails_waiting/m)
  await broken.stop()
})

test('jobs are counted by queue', async () => {
  await product.app.queue.send(product.db, 'backup', { data: {}, key: 'one' })
  expect(await product.app.queue.countJobs()).toMatchObject({ backup: 1 })
  expect(await product.app.metrics.readGauge('guichet_queue_jobs')).toBeGreaterThanOrEqual(1)
})

test('samples measure the time since the previous one', async () => {
  const { samples, metrics } = product.app
  await samples.take()
  await (await product.client()).get('/api/networks/reseau')
  metrics.messageTook('visitor', 12)
  metrics.mailFailed()
  await samples.take()
  const [last] = samples.lastHour().slice(-1)
  expect(last?.requests).toBeGreaterThan(0)
  expect(last?.message_p95).toBeCloseTo(12, 0)
  expect(last).toMatchObject({ mail_failures: 1, chats_waiting: 0, mails_waiting: 0 })
  await samples.take()
  expect(samples.lastHour().at(-1)).toMatchObject({ mail_failures: 0, message_p95: null })
})

test.each(['', 'Bearer another', token])('are rejected for anybody else: "%s"', async (authorization) => {
  expect((await (await product.client()).get('/metrics', { headers: { authorization } })).status).toBe(401)
})

test('do not exist without METRICS_TOKEN', async () => {
  const other = await startTestApp()
  expect((await (await other.client()).get('/metrics')).status).toBe(404)
  await other.stop()
})
