import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'

const token = 'a-token-of-the-metrics'
let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { METRICS_TOKEN: token } })
})
afterAll(() => product.stop())

test('figures are told to who has the token, by route and never by address', async () => {
  const client = await product.client()
  await client.get('/api/networks/reseau/999')
  const { status, text, headers } = await client.get('/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toContain('guichet_http_request_seconds_count{method="GET",route="/api/networks/reseau/:id",status="404"} 1')
  expect(text).toMatch(/^guichet_sockets 0$/m)
  expect(text).toMatch(/^guichet_mails_waiting 0$/m)
  expect(text).toMatch(/^guichet_chats_waiting 0$/m)
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
})

test.each(['', 'Bearer another', token])('are refused to anybody else: "%s"', async (authorization) => {
  expect((await (await product.client()).get('/metrics', { headers: { authorization } })).status).toBe(401)
})

test('are not there without a token to ask for', async () => {
  const other = await startTestApp()
  expect((await (await other.client()).get('/metrics')).status).toBe(404)
  await other.stop()
})
