import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'
import type { TestClient } from './testing/test-client.ts'
import { xsrfCookie, xsrfHeader } from '#src/server/http/xsrf.ts'

const path = '/api/networks/reseau'

let product: TestApp
let staff: TestClient
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn()
})
afterAll(() => product.stop())
// After each input the process runs and its database responds.
afterEach(async () => {
  const { status } = await staff.get('/readyz')
  if (status !== 200) throw new Error(`the product is not ready any more: ${status}`)
})

/** Expects a problem document without internal details. */
function expectProblem(response: { status: number; headers: Headers; text: string }, ...statuses: number[]) {
  expect(statuses).toContain(response.status)
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  expect(response.text).not.toMatch(/node_modules|\.ts\b|\bat \S+ \(|select |insert /i)
}

describe('a body', () => {
  test.each([
    ['nested 10,000 deep', `{"nom":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['with __proto__', '{"nom":"x","__proto__":{"admin":true}}'],
    ['with constructor.prototype', '{"nom":"x","constructor":{"prototype":{"admin":true}}}'],
    ['that is a list', '[{"nom":"x"}]'],
    ['that is a text', '"x"'],
    ['that is null', 'null'],
    ['that ends in the middle', '{"nom":"x"'],
    ['that is empty', ''],
    ['with a NUL byte', '{"nom":"a\\u0000b"}'],
    ['with a lone surrogate', '{"nom":"\\ud800"}'],
    ['with an unknown field', '{"nom":"x","id_reseau":1}'],
    ['with a list for a text', '{"nom":["x"]}'],
    ['with an object for a text', '{"nom":{"$ne":""}}'],
    ['with a number for a text', '{"nom":1}'],
  ])('%s is rejected', async (_name, raw) => {
    const response = await staff.post(path, undefined, { raw })
    expectProblem(response, 400)
    expect(Object.prototype).not.toHaveProperty('admin')
  })

  test('over the limit is rejected', async () => {
    expectProblem(await staff.post(path, { nom: 'a'.repeat(500_000) }), 413)
  })

  test.each(['text/plain', 'application/xml', 'application/jsonp', 'text/json'])(
    'with content type %s is rejected',
    async (type) => {
      expectProblem(await staff.post(path, undefined, { raw: '{"nom":"x"}', headers: { 'content-type': type } }), 400, 415)
    },
  )

  test('with content type application/json, a tab and a letter is rejected', async () => {
    const known = [`Cookie: ${staff.cookieHeader()}`, `${xsrfHeader}: ${staff.cookies.get(xsrfCookie)}`]
    const good = await rawRequest(`POST ${path} HTTP/1.1`, ['Content-Type: application/json', ...known], '{"nom":"x"}')
    expect(good).toMatch(/^HTTP\/1\.1 201/)
    const bad = await rawRequest(`POST ${path} HTTP/1.1`, ['Content-Type: application/json\ta', ...known], '{"nom":"x"}')
    expect(bad).toMatch(/^HTTP\/1\.1 415/)
  })
})

describe('an address', () => {
  test.each([
    ['a name where a number goes', `${path}/abc`, 400],
    ['zero', `${path}/0`, 400],
    ['a negative number', `${path}/-1`, 400],
    ['a number with a fraction', `${path}/1.5`, 400],
    ['a number in another notation', `${path}/1e3`, 400],
    ['a number beyond the database', `${path}/99999999999999999999`, 400],
    ['SQL', `${path}/1%20OR%201=1`, 400],
    ['a NUL byte', `${path}/%00`, 400],
    ['what cannot be decoded', `${path}/%ff`, 400],
    ['an id that does not exist', `${path}/2147483647`, 404],
    ['an unknown area', '/api/nothing', 404],
    ['a step up', '/api/..%2f..%2fpackage.json', 404],
  ])('with %s returns a problem document', async (_name, address, status) => {
    expectProblem(await staff.get(address), status)
  })

  test.each([
    ['one name twice', '?where=%7B%7D&where=%7B%7D'],
    ['an unknown key', '?where=%7B%22photo%22%3A%22x%22%7D'],
    ['an unknown operator', '?where=%7B%22email%22%3A%7B%22gt%22%3A%22%22%7D%7D'],
    ['a list', '?where=%5B%5D'],
    ['half a JSON', '?where=%7B'],
    ['a prototype', '?where=%7B%22__proto__%22%3A%7B%7D%7D'],
    ['a nested name', '?where[email]=x'],
  ])('with %s in its filter is rejected', async (_name, query) => {
    expectProblem(await staff.get(`/api/employees/employes${query}`), 400)
  })

  test.each([
    '/.git',
    '/.git/config',
    '/.env',
    '/package.json',
    '/src/main.ts',
    '/build/server/main.js.map',
    '/..%2f..%2fetc%2fpasswd',
  ])('%s returns 404', async (address) => {
    expect((await staff.get(address)).status).toBe(404)
  })

  test('with two slashes redirects to no other site', async () => {
    for (const address of ['//evil.example', '//evil.example/%2f..', '/\\evil.example']) {
      const response = await rawRequest(`GET ${address} HTTP/1.1`, [])
      expect(response).toMatch(/^HTTP\/1\.1 (400|404)/)
      expect(response).not.toMatch(/\nlocation:/i)
    }
  })
})

describe('a method', () => {
  test.each([path, '/api/nothing', '/healthz', '/nothing'])('TRACE is not supported: %s', async (address) => {
    const response = await rawRequest(`TRACE ${address} HTTP/1.1`, [])
    expect(response).toMatch(/^HTTP\/1\.1 40[45] /)
    expect(response).not.toContain('X-Secret-Header')
  })

  test.each(['TRACK', 'CONNECT', 'PROPFIND', 'DEBUG'])('%s is rejected', async (method) => {
    const response = await rawRequest(`${method} ${path} HTTP/1.1`, [])
    expect(response).toMatch(/^(HTTP\/1\.1 (400|403|404|405|501)|$)/)
    expect(response).not.toContain('X-Secret-Header')
  })

  test('that the address does not support returns a problem document', async () => {
    expectProblem(await staff.send('PATCH', path, {}), 404, 405)
  })
})

/** Inputs of a client without checks. */
function rawRequest(line: string, headers: string[], body = '') {
  const { hostname, port } = new URL(product.origin)
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const all = [
        line,
        'Host: localhost',
        'X-Secret-Header: 1',
        'Connection: close',
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...headers,
      ]
      socket.write(`${all.join('\r\n')}\r\n\r\n${body}`)
    })
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}
