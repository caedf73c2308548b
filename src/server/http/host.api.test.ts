import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createPageServices } from '#src/app/app.ts'
import { registerPages } from '../pages/pages.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'

const list = '/api/networks/reseau'

/** A product whose pages show only the address that they would use in links. */
const startWithPages = (environment: Record<string, string>) =>
  startTestApp({
    environment,
    prepare: (app) =>
      registerPages(
        app,
        createPageServices(app),
        async () => async (_request, context) =>
          new Response(`<link rel="canonical" href="${context.origin}/">`, { headers: { 'content-type': 'text/html' } }),
        { players: [], framed: '/frame', findAncestors: async () => [] },
      ),
  })

let product: TestApp
beforeAll(async () => {
  product = await startWithPages({ TRUST_PROXY: '1' })
})
afterAll(() => product.stop())

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

/** A raw request with any Host header and target, unlike a browser's. */
async function fetchAs(path: string, headers: Record<string, string>, { origin }: TestApp = product): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  const sent = request({ hostname, port, path, headers }).end()
  const [response] = (await once(sent, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number; headers: Answer['headers'] },
  ]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, text }
}

/** The raw response to these lines. */
async function sendRaw(...lines: string[]) {
  const { hostname, port } = new URL(product.origin)
  const socket = connect(Number(port), hostname)
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

describe('a Host header', () => {
  test.each([
    ['with a space', ['Host: a b']],
    ['given twice', ['Host: localhost', 'Host: localhost']],
    ['given twice, in two cases', ['Host: localhost', 'HOST: evil.example']],
    ['that is missing', []],
    ['that is empty', ['Host:']],
    ['with a path', ['Host: localhost/x']],
    ['with a user', ['Host: me@localhost']],
    ['that is no address', ['Host: 999.1.1.1']],
    ['with a port that does not exist', ['Host: localhost:99999']],
    ['with markup', ['Host: "><script>']],
  ])('%s is rejected, also for a stored response', async (_name, hosts) => {
    const cookie = (await product.client()).cookieHeader()
    await vi.waitFor(
      async () => {
        const find = vi.spyOn(product.app.storedResponses, 'find')
        await fetch(product.origin + list, { headers: { cookie } })
        const stored = find.mock.results.at(-1)?.value as unknown
        find.mockRestore()
        expect(stored).toBeTruthy()
      },
      { timeout: 30_000 },
    )
    for (const path of [list, '/', '/sitemap.xml', '/nothing']) {
      expect(await sendRaw(`GET ${path} HTTP/1.1`, ...hosts, `Cookie: ${cookie}`)).toMatch(/^HTTP\/1\.1 400 /)
    }
  })

  test('that is missing is rejected, for HTTP/1.0 too', async () => {
    expect(await sendRaw('GET / HTTP/1.0')).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/)
  })

  test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '[::1]:3000', 'a_b.example.com', 'xn--qubec-csa.example'])(
    '%s is accepted',
    async (host) => {
      expect((await fetchAs('/robots.txt', { host })).status).toBe(200)
    },
  )

  test('is overridden by the host of the request line', async () => {
    const { text } = await fetchAs('http://www.example.com/robots.txt?x', { host: 'evil.example' })
    expect(text).toContain('http://www.example.com/sitemap.xml')
    expect((await fetchAs('http://a%20b/robots.txt', { host: 'localhost' })).status).toBe(400)
  })
})

/** Every public GET address of the running product. */
const openAddresses = ({ app }: TestApp) =>
  app.declaredRoutes.flatMap(({ method, url, config }) => {
    const isOpen = config?.access === 'public' && [method].flat().includes('GET')
    return isOpen ? [url.replace(/:\w+|\*$/, url.includes(':name') ? 'privacy' : '1')] : []
  })

describe('without PUBLIC_URL', () => {
  test('X-Forwarded-Host is ignored, from a proxy too', async () => {
    const headers = { host: 'www.example.com', 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '203.0.113.9' }
    for (const address of [...openAddresses(product), '/', '/reseau']) {
      const { text, headers: responseHeaders } = await fetchAs(address, headers)
      expect(text + JSON.stringify(responseHeaders), address).not.toContain('evil.example')
    }
    expect((await fetchAs('/sitemap.xml', headers)).text).toContain('http://www.example.com/')
  })

  test('a response that depends on the Host is not shared', async () => {
    const named = []
    for (const address of [...openAddresses(product), '/', '/reseau']) {
      const cookie = (await product.client()).cookieHeader()
      const { text, headers } = await fetchAs(address, { host: 'evil.example', cookie })
      if (!(text + JSON.stringify(headers)).includes('evil.example')) continue
      named.push(address)
      expect(headers['cache-control'], address).toMatch(/private|no-store/)
      expect(headers['cdn-cache-control'], address).toBeUndefined()
    }
    expect(named).toEqual(expect.arrayContaining(['/', '/sitemap.xml', '/robots.txt', '/reseau/feed.fr.xml']))
    expect((await fetchAs('/', { host: 'www.example.com' })).text).not.toContain('evil.example')
  })
})

test('with PUBLIC_URL every response uses it alone, and is shared', async () => {
  const open = await startWithPages({ PUBLIC_URL: 'https://www.example.com', TRUST_PROXY: '1' })
  for (const address of [...openAddresses(open), '/']) {
    const { text } = await fetchAs(address, { host: 'evil.example', 'x-forwarded-host': 'evil.example' }, open)
    expect(text, address).not.toContain('evil.example')
  }
  const { headers } = await fetchAs('/sitemap.xml', { host: 'evil.example' }, open)
  expect(headers['cache-control']).toContain('public')
  const cookie = (await open.client()).cookieHeader()
  expect((await fetchAs('/', { host: 'www.example.com', cookie }, open)).headers['cdn-cache-control']).toContain('public')
  await open.stop()
})

test('a forwarding header from an untrusted address is logged once', async () => {
  for (const [environment, times] of [
    [{}, 1],
    [{ TRUST_PROXY: '10.0.0.1' }, 1],
    [{ TRUST_PROXY: '127.0.0.0/8' }, 0],
    [{ TRUST_PROXY: '1' }, 0],
  ] as [Record<string, string>, number][]) {
    const strange = await startTestApp({
      environment,
      prepare: async (app) => void vi.spyOn(app.log, 'warn').mockImplementation(() => undefined),
    })
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded']) {
      await fetchAs('/healthz', { host: 'localhost', [header]: '203.0.113.9' }, strange)
    }
    const responseHeaders = vi.mocked(strange.app.log.warn).mock.calls.filter(([, text]) => String(text).includes('TRUST_PROXY'))
    vi.mocked(strange.app.log.warn).mockRestore()
    expect(responseHeaders).toHaveLength(times)
    await strange.stop()
  }
})
