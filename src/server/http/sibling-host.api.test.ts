import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPageServices } from '#src/app/app.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import { registerPages } from '../pages/pages.ts'

const pages = 'https://www.guichet.test'
const api = 'https://api.guichet.test'
const sibling = { origin: pages, 'sec-fetch-site': 'same-site' }
const signIn = '/api/auth/login'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({
    environment: { PUBLIC_URL: pages, API_URL: api },
    prepare: (app) =>
      registerPages(
        app,
        createPageServices(app),
        async () => async (_request, context) =>
          new Response(`${context.apiUrl} ${context.chatUrl}`, { headers: { 'content-type': 'text/html' } }),
        { players: [], framed: '/frame', findAncestors: async () => [] },
      ),
  })
})
afterAll(() => product.stop())

type Call = { method?: string; headers?: Record<string, string>; body?: unknown }

/** A request as the proxy in front hands it over, with the host that the browser asked. */
async function call(host: string, path: string, { method = 'GET', headers = {}, body }: Call = {}) {
  const { hostname, port } = new URL(product.origin)
  const sent = request({
    hostname,
    port,
    path,
    method,
    headers: { host: new URL(host).host, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
  }).end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number; headers: Record<string, string | string[] | undefined> },
  ]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  const cookies = [response.headers['set-cookie'] ?? []].flat()
  return { status: response.statusCode, headers: response.headers, cookies, text }
}

const cookieOf = (cookies: string[], name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? expect.fail(`no cookie ${name}`)

/** The token that the API gives to the page, as header and as cookie. */
async function newToken() {
  const { cookies } = await call(api, '/api/networks/reseau', { headers: sibling })
  const cookie = cookieOf(cookies, 'XSRF-TOKEN')
  return { cookie, 'x-xsrf-token': decodeURIComponent(cookie.slice('XSRF-TOKEN='.length)) }
}

describe('an API on a host of its own (API_URL)', () => {
  test('is named to the pages, whose policy lets them call it, load its files and chat there', async () => {
    const { text, headers } = await call(pages, '/')
    expect(text).toBe(`${api} ${api}`)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`connect-src 'self' ${api} wss://api.guichet.test`)
    expect(policy).toContain(`img-src 'self' data: blob: ${api}`)
    expect(policy).toContain(`media-src 'self' ${api}`)
  })

  test('gives its token to both hosts, and the session to itself alone', async () => {
    const { cookies } = await call(api, '/api/networks/reseau', { headers: sibling })
    expect(cookies.find((one) => one.startsWith('XSRF-TOKEN='))).toMatch(/; Domain=guichet\.test;/)

    const token = await newToken()
    const { username } = await product.createUser({ jobs: 'read_only' })
    const entered = await call(api, signIn, {
      method: 'POST',
      headers: { ...sibling, ...token },
      body: { username, password: testPassword },
    })
    expect(entered.status).toBeLessThan(300)
    const session = entered.cookies.find((one) => one.startsWith('__Host-guichet_session='))
    expect(session).toBeDefined()
    expect(session).not.toContain('Domain')
  })

  test('leaves a token alone on a page, and deletes one that was the pages’ own before', async () => {
    const given = (await call(pages, '/admin')).cookies
    expect(given).toEqual([expect.stringMatching(/^XSRF-TOKEN=.*; Domain=guichet\.test;/)])
    const { cookie } = await newToken()
    expect((await call(pages, '/admin', { headers: { cookie } })).cookies).toEqual([])
    const { cookies } = await call(pages, '/admin', { headers: { cookie: `XSRF-TOKEN=old.one; ${cookie}` } })
    expect(cookies).toEqual([expect.stringMatching(/^XSRF-TOKEN=; Max-Age=0; Path=\/; (?!.*Domain)/)])
  })

  test('answers the pages with their cookies, and names no other origin', async () => {
    const allowed = await call(api, '/api/networks/reseau', { headers: sibling })
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': pages,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringContaining('x-total-count'),
      'cross-origin-resource-policy': 'same-site',
      vary: expect.stringContaining('origin'),
    })
    for (const origin of ['https://other.guichet.test', 'https://www.guichet.test.evil.example', 'null']) {
      const other = await call(api, '/api/networks/reseau', { headers: { origin, 'sec-fetch-site': 'same-site' } })
      expect(other.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  test('allows the preflight of every method and header that the pages use', async () => {
    const headers = { ...sibling, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-xsrf-token' }
    const allowed = await call(api, '/api/jobs/emplois/1', { method: 'OPTIONS', headers })
    expect(allowed).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': pages,
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': expect.stringContaining('x-xsrf-token'),
      },
    })
    const foreign = { ...headers, origin: 'https://other.guichet.test' }
    const refused = await call(api, '/api/jobs/emplois/1', { method: 'OPTIONS', headers: foreign })
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('takes a write of the pages with the token, and none of another host of the site', async () => {
    const token = await newToken()
    const body = { username: 'nobody', password: 'wrong password' }
    const write = async (origin: string, headers: Record<string, string>) =>
      (await call(api, signIn, { method: 'POST', headers: { origin, 'sec-fetch-site': 'same-site', ...headers }, body })).status
    expect(await write(pages, token)).toBe(401)
    expect(await write(pages, { cookie: token.cookie })).toBe(403)
    expect(await write('https://other.guichet.test', token)).toBe(403)
  })
})
