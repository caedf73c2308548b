import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'

const path = '/api/networks/reseau'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

/** The response, and whether it was a stored one. */
async function request(headers: Record<string, string>) {
  const find = vi.spyOn(product.app.storedResponses, 'find')
  const response = await fetch(product.origin + path, { headers })
  const body = await response.text()
  const wasStored = Boolean(find.mock.results.at(-1)?.value)
  find.mockRestore()
  const { 'x-request-id': id, date: _date, ...rest } = Object.fromEntries(response.headers)
  return { status: response.status, body, headers: rest, id, wasStored }
}

/** The content expires after a second, so the first request may take the regular path. */
const requestStored = (headers: Record<string, string>) =>
  vi.waitFor(
    async () => {
      await request(headers)
      const result = await request(headers)
      expect(result.wasStored).toBe(true)
      return result
    },
    { timeout: 30_000 },
  )

test('a stored response has the headers and bytes of the first', async () => {
  const cookie = (await product.client()).cookieHeader()
  product.app.events.changed('networks')
  const usual = await request({ cookie, 'x-forwarded-proto': 'http' })
  expect(usual.wasStored).toBe(false)
  // The protocol that a proxy forwards does not affect the stored response.
  const stored = await requestStored({ cookie, 'x-forwarded-proto': 'https' })
  expect(stored).toEqual({ ...usual, id: stored.id, wasStored: true })
  expect(stored.id).not.toBe(usual.id)
  const same = await requestStored({ cookie, 'if-none-match': usual.headers.etag ?? '' })
  expect(same).toMatchObject({ status: 304, body: '' })
})

test('a browser without a valid token gets one', async () => {
  const cookie = (await product.client()).cookieHeader()
  await requestStored({ cookie })
  const strangers: Record<string, string>[] = [{}, { cookie: 'XSRF-TOKEN=a.b' }, { cookie: `${cookie}; guichet_session=another` }]
  for (const headers of strangers) {
    const { headers: headersReceived, wasStored } = await request(headers)
    expect(wasStored).toBe(false)
    expect(headersReceived['set-cookie']).toContain('XSRF-TOKEN=')
  }
})

test('a stored response is counted by its route', async () => {
  const cookie = (await product.client()).cookieHeader()
  const counted = vi.spyOn(product.app.metrics, 'requestTook')
  await vi.waitFor(
    async () => {
      counted.mockClear()
      expect((await request({ cookie })).wasStored).toBe(true)
    },
    { timeout: 30_000 },
  )
  const responded = { method: 'GET', route: path, status: 200 }
  await vi.waitFor(() => expect(counted).toHaveBeenCalledWith(responded, expect.any(Number)), { timeout: 30_000 })
  counted.mockRestore()
})
