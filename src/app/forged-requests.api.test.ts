import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeclaredRoute } from '#src/server/types.ts'
import { createPageServices } from './app.ts'
import { registerPages } from '#src/server/pages/pages.ts'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'
import type { TestClient } from './testing/test-client.ts'
import { xsrfCookie, xsrfHeader } from '#src/server/http/xsrf.ts'

const channel = 'tracing:fastify.request.handler:start'
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])
const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Routes whose handler was reached. */
let reached: string[] = []
const note = (message: unknown) => void reached.push((message as { route: { url: string } }).route.url)

let product: TestApp
let staff: TestClient
beforeAll(async () => {
  // A page handler that responds 405, as the router does for a page without a form.
  const embedding = { players: [], framed: '/frame', findAncestors: async () => [] }
  const render = async () => new Response('no action', { status: 405 })
  product = await startTestApp({
    prepare: (app) => registerPages(app, createPageServices(app), async () => render, embedding),
  })
  staff = await product.signIn()
  subscribe(channel, note)
})
beforeEach(() => {
  reached = []
})
afterAll(async () => {
  unsubscribe(channel, note)
  agent.destroy()
  await product.stop()
})

const encode = (text: string) => text.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/** Spellings of one address that bypass a check of its text. */
const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'a letter encoded': (path) => `/${encode(path.slice(1, 2))}${path.slice(2)}`,
  'every letter encoded': encode,
  'encoded twice': (path) => encode(path).replaceAll('%', '%25'),
  'with its scheme and host': (path) => `${product.origin}${path}`,
  'with the scheme and host of another': (path) => `http://evil.example${path}`,
  'two slashes': (path) => `/${path}`,
  'in capitals': (path) => path.toUpperCase(),
  'a slash at the end': (path) => `${path}/`,
  'a step up': (path) => `/x/..${path}`,
  'a step nowhere': (path) => `/.${path}`,
  'encoded slashes': (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  'a parameter of the path': (path) => `${path};x`,
  'a path in the query': (path) => `${path}?/public_api/chat/client-leave`,
  'an exempt path before it': (path) => `/public_api/chat/client-leave/..${path}`,
}

type Attack = { route: DeclaredRoute; method: string; path: string }

/** Every route of the running product that writes. */
function changes(isWanted: (route: DeclaredRoute) => boolean): Attack[] {
  return product.app.declaredRoutes.filter(isWanted).flatMap((route) =>
    [route.method].flat().flatMap((method) => {
      const path = route.url
        .replace(':id_session', '0'.repeat(64))
        .replace(':id', '999999')
        .replace(/:\w+/, 'x')
        .replace('*', 'x')
      return safe.has(method) ? [] : [{ route, method, path }]
    }),
  )
}

function send(method: string, path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(product.origin)
  const hasBody = method !== 'TRACE'
  const body = hasBody ? { 'content-type': 'application/json', 'content-length': '2' } : {}
  return new Promise<number>((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers: { ...body, ...headers } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end(hasBody ? '{}' : undefined)
  })
}

/** Requests that reached a handler although they must not. */
async function included(attacks: readonly Attack[], headers: Record<string, string>) {
  const found: string[] = []
  for (const { route, method, path } of attacks) {
    for (const [name, spell] of Object.entries(spellings)) {
      reached = []
      const status = await send(method, spell(path), { cookie: staff.cookieHeader(), ...headers })
      const isCommand = String(route.config?.access).startsWith('command ')
      const isRefused = status === 403 || status === 404 || (isCommand && status === 401)
      if (!isRefused || reached.includes(route.url)) found.push(`${method} ${route.url}, ${name}: ${status}`)
    }
  }
  return found
}

/** All but those whose address holds a secret, which no other site can know. */
const changesWithoutSecret = () => changes(({ config }) => config?.protection !== 'secret')

const token = () => staff.cookies.get(xsrfCookie) ?? ''
/** Another port is another origin of the same site, so its pages send the cookies. */
const otherPort = () => `http://127.0.0.1:${Number(new URL(product.origin).port) + 1}`

describe('every route that writes, however its address is spelled,', () => {
  test('accepts a valid request, so that the attacks below test existing routes', async () => {
    const good = { cookie: staff.cookieHeader(), origin: product.origin, [xsrfHeader]: token() }
    for (const spell of [spellings['as it is'], spellings['a letter encoded'], spellings['with its scheme and host']]) {
      expect(await send('DELETE', spell?.('/api/networks/reseau/999999') ?? '', good)).toBe(404)
    }
    expect(reached).toEqual(Array.from({ length: 3 }, () => '/api/networks/reseau/:id'))
    expect(changes(() => true).length).toBeGreaterThan(60)
  })

  test('checks the origin of all but the routes whose address holds a secret', () => {
    const secret = changes(({ config }) => config?.protection === 'secret').map(({ method, route }) => `${method} ${route.url}`)
    expect(secret.toSorted()).toEqual([
      'POST /api/networks/signals/:token',
      'POST /reseau/abonnement/:token',
      'POST /reseau/abonnement/:token/quitter',
      'POST /suivi/:token',
    ])
  })

  test('rejects a signed-in browser without its token', async () => {
    const needToken = changes(({ config }) => config?.protection === 'token' || config?.protection === 'visitor')
    expect(await included(needToken, { origin: product.origin })).toEqual([])
  })

  test('rejects another port, with session and token', async () => {
    expect(await included(changesWithoutSecret(), { origin: otherPort(), [xsrfHeader]: token() })).toEqual([])
  })

  test('rejects a request that the browser marks as cross-site', async () => {
    for (const site of ['same-site', 'cross-site']) {
      expect(await included(changesWithoutSecret(), { 'sec-fetch-site': site, [xsrfHeader]: token() })).toEqual([])
    }
  })
})
