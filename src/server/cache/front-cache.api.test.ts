import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'

const path = '/api/networks/reseau'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

/** The answer, and whether it was given before the routes were asked. */
async function ask(headers: Record<string, string>) {
  const answer = vi.spyOn(product.app.front, 'answer')
  const response = await fetch(product.origin + path, { headers })
  const body = await response.text()
  const wasFront = answer.mock.results.at(-1)?.value === true
  answer.mockRestore()
  const { 'x-request-id': id, date: _date, ...rest } = Object.fromEntries(response.headers)
  return { status: response.status, body, headers: rest, id, wasFront }
}

/** The content is read anew after a second: whoever comes then takes the usual way once. */
const askFront = (headers: Record<string, string>) =>
  vi.waitFor(async () => {
    await ask(headers)
    const answer = await ask(headers)
    expect(answer.wasFront).toBe(true)
    return answer
  })

test('an answer given from the front is the usual one', async () => {
  const cookie = (await product.client()).cookieHeader()
  product.app.events.changed('networks')
  const usual = await ask({ cookie, 'x-forwarded-proto': 'http' })
  expect(usual.wasFront).toBe(false)
  // What a proxy says of the connection changes nothing in it.
  const front = await askFront({ cookie, 'x-forwarded-proto': 'https' })
  expect(front).toEqual({ ...usual, id: front.id, wasFront: true })
  expect(front.id).not.toBe(usual.id)
  const same = await askFront({ cookie, 'if-none-match': usual.headers.etag ?? '' })
  expect(same).toMatchObject({ status: 304, body: '' })
})

test('a browser without a good token is given one', async () => {
  const cookie = (await product.client()).cookieHeader()
  await askFront({ cookie })
  const strangers: Record<string, string>[] = [{}, { cookie: 'XSRF-TOKEN=a.b' }, { cookie: `${cookie}; guichet_session=another` }]
  for (const headers of strangers) {
    const { headers: told, wasFront } = await ask(headers)
    expect(wasFront).toBe(false)
    expect(told['set-cookie']).toContain('XSRF-TOKEN=')
  }
})

test('what is answered from the front is counted by its route', async () => {
  const cookie = (await product.client()).cookieHeader()
  const counted = vi.spyOn(product.app.metrics, 'requestTook')
  await vi.waitFor(async () => {
    counted.mockClear()
    expect((await ask({ cookie })).wasFront).toBe(true)
  })
  const answered = { method: 'GET', route: path, status: 200 }
  await vi.waitFor(() => expect(counted).toHaveBeenCalledWith(answered, expect.any(Number)))
  counted.mockRestore()
})
