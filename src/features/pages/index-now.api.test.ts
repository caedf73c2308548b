import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { PageAddress } from '#src/features/content/server/feature.ts'
import { announcedPages } from './server/announced-table.ts'
import { followLog } from '#src/server/testing/follow-log.ts'
import { announceChanges } from './server/index-now.ts'

const key = 'a-key-of-the-test-1'
const site = 'https://www.company.example.com'
type Sent = { host: string; key: string; keyLocation: string; urlList: string[] }
const sent: Sent[] = []
let status = 202

const engine = createServer((request, response) => {
  void json(request).then((body) => {
    sent.push(body as Sent)
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
  })
})

let product: TestApp
let environment: Record<string, string>
beforeAll(async () => {
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/indexnow`
  environment = { PUBLIC_URL: site, INDEXNOW_KEY: key, INDEXNOW_URL: address }
  product = await startTestApp({ environment })
})
afterAll(async () => {
  await product.stop()
  await new Promise((resolve) => engine.close(resolve))
})
afterEach(async () => {
  sent.length = 0
  status = 202
  await product.db.delete(announcedPages)
})

const announce = (pages: PageAddress[], app = product.app) => announceChanges(app, async () => pages)
const [older, newer] = ['2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z']
const job = (changedAt: string) => ({ fr: '/emploi/voir/1', changedAt })

test('search engines are notified once of each page that is new, changed or gone, in the languages that it has', async () => {
  await announce(['/about', job(older)])
  expect(sent).toEqual([
    {
      host: 'www.company.example.com',
      key,
      keyLocation: `${site}/${key}.txt`,
      urlList: [`${site}/about`, `${site}/about?lang=en`, `${site}/emploi/voir/1`],
    },
  ])
  await announce(['/about', job(older)])
  expect(sent).toHaveLength(1)
  await announce(['/about', job(newer)])
  expect(sent[1]?.urlList).toEqual([`${site}/emploi/voir/1`])
  await announce(['/about'])
  expect(sent[2]?.urlList).toEqual([`${site}/emploi/voir/1`])
  await announce(['/about'])
  expect(sent).toHaveLength(3)
})

test.each([429, 500, 302])('an answer of %i is logged, stops nothing, and the pages are sent again', async (refusal) => {
  const log = followLog()
  try {
    status = refusal
    await announce(['/about'])
    expect(log.lines()).toContainEqual(expect.objectContaining({ reason: `status ${refusal}`, pages: 2 }))
  } finally {
    log.stop()
  }
  expect(sent).toHaveLength(1)
  status = 200
  await announce(['/about'])
  expect(sent).toHaveLength(2)
  await announce(['/about'])
  expect(sent).toHaveLength(2)
})

test('a request has at most 10,000 addresses; the rest is sent the next time', async () => {
  const pages = Array.from({ length: 10_001 }, (_, id) => ({ fr: `/emploi/voir/${id}` }))
  await announce(pages)
  await announce(pages)
  expect(sent.map(({ urlList }) => urlList.length)).toEqual([10_000, 1])
})

test('the key is proven by its file, and neither is there where it is off', async () => {
  const visitor = await product.client()
  const file = await visitor.get(`/${key}.txt`)
  expect(file.text).toBe(key)
  expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  // A copy to try things on has the settings of the site that it was made of.
  for (const [name, off] of [
    ['INDEXNOW_KEY', ''],
    ['INDEXING', '0'],
  ] as const) {
    const other = await startTestApp({ environment: { ...environment, [name]: off } })
    try {
      expect((await (await other.client()).get(`/${key}.txt`)).status).toBe(404)
      await announce(['/about'], other.app)
      expect(sent).toEqual([])
    } finally {
      await other.stop()
    }
  }
})

test('search engines that nobody reaches stop nothing', async () => {
  const other = await startTestApp({ environment: { ...environment, INDEXNOW_URL: 'http://127.0.0.1:1/indexnow' } })
  try {
    await announce(['/about'], other.app)
    expect(await other.db.select().from(announcedPages)).toEqual([])
    expect((await (await other.client()).get('/sitemap.xml')).status).toBe(200)
  } finally {
    await other.stop()
  }
})
