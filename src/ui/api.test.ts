import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError, authRefusedEvent, callApi, getJson, recoverRefusals, makeClientId } from './api.ts'
import { downloadFile } from './download-file.ts'

const page = new EventTarget()
let calls: { path: string; init: RequestInit }[]
let cookies: string

function answer(...responses: { status: number; body?: unknown; cookies?: string }[]) {
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const { status, body = null, cookies: after } = responses[calls.length] ?? { status: 500 }
    calls.push({ path, init })
    cookies = after ?? cookies
    const response = new Response(status === 204 ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    })
    Object.defineProperty(response, 'url', { value: `https://example.com${path}` })
    return Promise.resolve(response)
  })
}

const headersOf = (at: number) => (calls[at]?.init.headers ?? {}) as Record<string, string>

beforeEach(() => {
  calls = []
  cookies = 'XSRF-TOKEN=a%2Bb'
  vi.stubGlobal('document', {
    querySelector: () => null,
    get cookie() {
      return cookies
    },
  })
  vi.stubGlobal('window', page)
})
afterEach(() => vi.unstubAllGlobals())

describe('an API call', () => {
  test('sends the cookies, and the XSRF token of its cookie on writes', async () => {
    answer({ status: 200, body: [] }, { status: 201, body: {} })
    await getJson('/api/jobs/emplois')
    await callApi('POST', '/api/jobs/emplois', { titre: '' })
    expect(calls.map(({ init }) => init.credentials)).toEqual(['include', 'include'])
    expect([headersOf(0)['x-xsrf-token'], headersOf(1)['x-xsrf-token']]).toEqual([undefined, 'a+b'])
    expect(calls[1]?.init.signal).toBeUndefined()
  })

  test('sends neither to another host of the product', async () => {
    answer({ status: 200, body: {} })
    await callApi('POST', 'https://chat.example.com/public_api/chat/transcript', {})
    expect(calls[0]?.init.credentials).toBe('omit')
    expect(headersOf(0)['x-xsrf-token']).toBeUndefined()
  })

  test('is retried once after a token error, with the new token', async () => {
    answer({ status: 403, cookies: 'XSRF-TOKEN=new' }, { status: 204 })
    await callApi('DELETE', '/api/jobs/emplois/1')
    expect(headersOf(1)['x-xsrf-token']).toBe('new')
  })

  test('is retried with the newest token where another response replaced it', async () => {
    answer({ status: 403, cookies: 'XSRF-TOKEN=new' }, { status: 403, cookies: 'XSRF-TOKEN=newest' }, { status: 204 })
    await callApi('DELETE', '/api/jobs/emplois/1')
    expect(headersOf(2)['x-xsrf-token']).toBe('newest')
  })

  test('is not retried without the right', async () => {
    answer({ status: 403 }, { status: 204 })
    await expect(callApi('DELETE', '/api/jobs/emplois/1')).rejects.toMatchObject({ status: 403 })
    expect(calls).toHaveLength(1)
  })
})

describe('an API call that fails with 401', () => {
  let stop: () => void
  afterEach(() => stop())

  test('is retried with its body after the page recovered', async () => {
    answer({ status: 401, body: { type: '/problems/recent-sign-in' } }, { status: 200, body: { saved: true } })
    stop = recoverRefusals((_refused, repeat) => repeat())
    expect(await callApi('PUT', '/api/auth/me', { email: 'a@example.com' })).toEqual({ saved: true })
    expect(calls.map(({ init }) => init.body)).toEqual(Array.from({ length: 2 }, () => '{"email":"a@example.com"}'))
  })

  test('rejects without a recovery, for a file too', async () => {
    const body = { type: '/problems/recent-sign-in' }
    answer({ status: 401, body }, { status: 401, body })
    stop = recoverRefusals((refused) => Promise.resolve(refused))
    await expect(callApi('PUT', '/api/auth/me', {})).rejects.toMatchObject({ status: 401, problem: body })
    await expect(downloadFile('GET', '/api/requests/requests/export.csv')).rejects.toMatchObject({ status: 401, problem: body })
  })

  test('rejects once the page is unmounted', async () => {
    answer({ status: 401 })
    stop = recoverRefusals((_refused, repeat) => repeat())
    stop()
    await expect(getJson('/api/auth/me')).rejects.toMatchObject({ status: 401 })
    expect(calls).toHaveLength(1)
  })
})

describe('an API error', () => {
  const refused = vi.fn()
  beforeEach(() => {
    refused.mockClear()
    page.addEventListener(authRefusedEvent, refused)
  })
  afterEach(() => page.removeEventListener(authRefusedEvent, refused))

  test('with 403 of a sign-in call dispatches an event that opens the sign-in page', async () => {
    answer({ status: 403 })
    await expect(getJson('/api/auth/me')).rejects.toBeInstanceOf(ApiError)
    expect(refused).toHaveBeenCalledTimes(1)
  })

  test.each([
    [403, '/api/jobs/emplois/all'],
    [401, '/api/auth/me'],
    [500, '/api/auth/me'],
  ])('with %s of %s only rejects', async (status, path) => {
    answer({ status, body: { detail: 'No.' } })
    await expect(getJson(path)).rejects.toMatchObject({ status, message: 'No.' })
    expect(refused).not.toHaveBeenCalled()
  })

  test('of an unreachable server has no status', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(getJson('/api/jobs/emplois')).rejects.toMatchObject({ status: 0 })
  })
})

test('ids of calls are UUIDs of version 4, each another one', () => {
  const ids = Array.from({ length: 200 }, makeClientId)
  for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})
