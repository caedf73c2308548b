import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { startTestSmtp } from '../testing/test-smtp.ts'
import { startTracing } from './tracing.ts'

type ExportedSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string }
type ExportBody = { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] }

const exported: ExportedSpan[] = []
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as ExportBody
  exported.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
  response.setHeader('content-type', 'application/json').end('{}')
})

beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
})
afterAll(() => collector.close())

test('exports a request, its statements, the mail and the job to the collector', async () => {
  await startTracing({ tracesUrl: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` })
  const smtp = await startTestSmtp()
  const release = smtp.hold()
  const product = await startTestApp({ queue: true, environment: { SMTP_URL: smtp.url } })
  await (await product.client()).get('/api/networks/reseau/999')
  await product.db.transaction((tx) =>
    product.app.mailer.enqueue(tx, { to: 'ana@example.com', subject: 'Bonjour', body: 'Bonjour' }),
  )
  await expect.poll(() => smtp.received.length, { timeout: 15_000 }).toBe(1)
  // Spans that end during shutdown are exported too: here a job whose mail is not acknowledged yet.
  const stopped = product.stop()
  release()
  await stopped
  await smtp.stop()

  const request = exported.find(({ name }) => name === 'GET /api/networks/reseau/:id')
  expect(request).toBeDefined()
  const statements = exported.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements.map(({ name }) => name)).toContain('database select')
  const mail = exported.find(({ name }) => name === 'mail')
  expect(exported.find(({ spanId }) => spanId === mail?.parentSpanId)?.name).toBe('job mail')
})
