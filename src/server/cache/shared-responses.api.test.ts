import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'

const lists = [
  '/api/networks/reseau',
  '/api/employees/employes',
  '/api/jobs/emplois',
  '/api/notes/notes',
  '/api/home_messages/home_message',
  '/api/home_informations/home_information',
]

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

test.each(lists)('%s is sent once, then answered with 304', async (path) => {
  const visitor = await product.client()
  const first = await visitor.get(path)
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
  expect(first.headers.get('cdn-cache-control')).toContain('stale-while-revalidate=60')
  const again = await visitor.get(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect(again.text).toBe('')
})

test('a save is visible at once', async () => {
  const staff = await product.signIn({ networks: 'read_write' })
  const visitor = await product.client()
  const before = await visitor.get('/api/networks/reseau')
  await staff.post('/api/networks/reseau', { nom: 'Fibre', status: 'ONLINE', details: '[]' })
  const after = await visitor.get<{ nom: string }[]>('/api/networks/reseau', {
    headers: { 'if-none-match': before.headers.get('etag') ?? '' },
  })
  expect(after.status).toBe(200)
  expect(after.body.map(({ nom }) => nom)).toContain('Fibre')
})

test('a response with a cookie is private, and a protected one is not cached', async () => {
  const { headers } = await fetch(`${product.origin}/api/networks/reseau`)
  expect(headers.get('set-cookie')).toContain('XSRF-TOKEN=')
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(headers.get('cdn-cache-control')).toBeNull()
  const all = await (await product.signIn({ jobs: 'read_only' })).get('/api/jobs/emplois/all')
  expect(all.headers.get('cache-control')).toBe('no-store')
})
