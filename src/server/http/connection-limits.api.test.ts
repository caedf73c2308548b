import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { followStream } from '../testing/follow-stream.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { xsrfCookie, xsrfHeader } from './xsrf.ts'

const [sockets, streams, seconds] = [5, 4, 1]

let product: TestApp
/** HTTP clients open connections in advance, so each test that counts them starts its own product. */
let shortTimeouts: TestApp
let staff: TestClient
beforeAll(async () => {
  product = await startTestApp({
    environment: {
      TRUST_PROXY: '1',
      MAX_SOCKETS_PER_ADDRESS: String(sockets),
      MAX_STREAMS_PER_ADDRESS: String(streams),
    },
  })
  shortTimeouts = await startTestApp({ environment: { REQUEST_TIMEOUT_S: String(seconds) } })
  staff = await shortTimeouts.signIn()
})
afterAll(() => Promise.all([product.stop(), shortTimeouts.stop()]))

const from = (address: string) => ({ 'x-forwarded-for': address })

async function refused(reason: string, { app }: TestApp = product) {
  const text = await app.metrics.registry.getSingleMetricAsString('guichet_refused_total')
  return Number(new RegExp(`reason="${reason}"\\} (\\d+)`).exec(text)?.[1])
}

/** A WebSocket that sends no Socket.IO packet; resolves with the HTTP status where it is rejected. */
function openSocket(address: string) {
  const url = `${product.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
  const socket = new WebSocket(url, { headers: from(address) })
  return new Promise<WebSocket | number>((resolve, reject) => {
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

describe('one address', () => {
  test('has a limit of open sockets, released by each closed one', async () => {
    const before = await refused('sockets_per_address')
    const opened = await Promise.all(Array.from({ length: 4 * sockets }, () => openSocket('203.0.113.1')))
    const open = opened.filter((one) => typeof one === 'object')
    expect(open).toHaveLength(sockets)
    expect(new Set(opened.filter((one) => typeof one === 'number'))).toEqual(new Set([429]))
    expect(await refused('sockets_per_address')).toBe(before + 3 * sockets)
    expect(await openSocket('203.0.113.2')).toBeTypeOf('object')
    open[0]?.terminate()
    await vi.waitFor(async () => expect(await openSocket('203.0.113.1')).toBeTypeOf('object'), { timeout: 30_000 })
  })

  test('gets no more sockets by failed handshakes, which are uncounted afterwards', async () => {
    const { hostname, port } = new URL(product.origin)
    for (let turn = 0; turn < 3 * sockets; turn += 1) {
      const socket = connect(Number(port), hostname)
      // An unknown protocol version.
      socket.write(
        'GET /socket.io/?EIO=9&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nX-Forwarded-For: 203.0.113.3\r\n\r\n',
      )
      await closed(socket)
    }
    await vi.waitFor(async () => expect(await openSocket('203.0.113.3')).toBeTypeOf('object'), { timeout: 30_000 })
  })

  test('has the same limit for long polling', async () => {
    const address = `${product.origin}/socket.io/?EIO=4&transport=polling`
    const open = () => fetch(address, { headers: from('203.0.113.6') }).then(({ status }) => status)
    const statuses = await Promise.all(Array.from({ length: sockets + 2 }, open))
    expect(statuses.toSorted()).toEqual([...Array.from({ length: sockets }, () => 200), 403, 403])
    expect(await openSocket('203.0.113.6')).toBe(429)
  })

  test('shares the limit with its IPv6 /64', async () => {
    const opened = await Promise.all(
      Array.from({ length: sockets + 1 }, (_, number) => openSocket(`2001:db8:7:7::${number + 1}`)),
    )
    expect(opened.filter((one) => one === 429)).toHaveLength(1)
  })

  test('has a limit of live streams, released by each closed one', async () => {
    const address = `${product.origin}/api/live`
    const open = []
    for (let number = 0; number < streams; number += 1) open.push(await followStream(address, from('203.0.113.4')))
    const before = await refused('streams_per_address')
    const one = await fetch(address, { headers: from('203.0.113.4') })
    expect(one.status).toBe(429)
    expect(one.headers.get('retry-after')).toBe('30')
    expect(await refused('streams_per_address')).toBe(before + 1)
    const other = await fetch(address, { headers: from('203.0.113.5') })
    expect(other.status).toBe(200)
    await other.body?.cancel()
    open[0]?.close()
    await vi.waitFor(
      async () => {
        const again = await fetch(address, { headers: from('203.0.113.4') })
        await again.body?.cancel()
        expect(again.status).toBe(200)
      },
      { timeout: 30_000 },
    )
    for (const stream of open) stream.close()
  })
})

/** Everything received until the connection ends. */
async function closed(socket: Socket) {
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  // A client that is still writing gets a connection reset.
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

/** Sends a request head, then one byte at a time until it is disconnected; returns what it received. */
async function sendSlowly(head: readonly string[], bytes = 'a', everyMs = 100, enough = Number.POSITIVE_INFINITY) {
  const { hostname, port } = new URL(shortTimeouts.origin)
  const socket = connect(Number(port), hostname)
  socket.write(head.join('\r\n'))
  let sent = 0
  const timer = setInterval(() => {
    if (sent >= enough) return
    socket.write(bytes)
    sent += bytes.length
  }, everyMs)
  const text = await closed(socket)
  clearInterval(timer)
  return text
}

const post = (path: string, ...more: string[]) => [`POST ${path} HTTP/1.1`, 'Host: localhost', ...more, '', '']
const signed = () => [`Cookie: ${staff.cookieHeader()}`, `${xsrfHeader}: ${staff.cookies.get(xsrfCookie)}`]
const json = 'Content-Type: application/json'

describe('a slow request', () => {
  test.each([
    ['to a route', () => post('/api/networks/reseau', json, 'Content-Length: 500', ...signed())],
    ['in chunks', () => post('/api/networks/reseau', json, 'Transfer-Encoding: chunked', ...signed(), '', '1f4')],
    ['to a form', () => post('/api/mailer/contact', json, 'Content-Length: 500', ...signed())],
    ['of a file', () => post('/api/employees/employes', json, 'Content-Length: 100000', ...signed())],
    [
      'of an upload',
      () =>
        post(
          '/api/recordings/recordings',
          'Content-Type: multipart/form-data; boundary=x',
          'Content-Length: 100000',
          ...signed(),
        ),
    ],
    ['to an address that cannot be read', () => post('/%zz', json, 'Content-Length: 500')],
    ['to an address that is not there', () => post('/nothing', json, 'Content-Length: 500')],
    ['after it was refused', () => post('/api/networks/reseau', json, 'Content-Length: 500')],
  ])('times out: a body a byte at a time %s', async (_name, head) => {
    const before = await refused('slow_request', shortTimeouts)
    const started = performance.now()
    expect(await sendSlowly(head())).toMatch(/^HTTP\/1\.1 (400|403|404|408) /)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await refused('slow_request', shortTimeouts)).toBe(before + 1)
    expect((await staff.get('/readyz')).status).toBe(200)
  })

  test('times out: headers a byte at a time', async () => {
    const before = await refused('slow_request', shortTimeouts)
    expect(await sendSlowly(['GET / HTTP/1.1', 'Host: localhost', 'X-Slow: '])).toMatch(/^HTTP\/1\.1 408 /)
    expect(await refused('slow_request', shortTimeouts)).toBe(before + 1)
  })

  test('times out: no bytes', async () => {
    expect(await sendSlowly([], '')).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })
})

test('may take longer for a file that keeps arriving', async () => {
  const entry = JSON.stringify({ nom: 'x', new_photo_path: 'a'.repeat(120_000) })
  const head = post('/api/employees/employes', json, `Content-Length: ${entry.length}`, 'Connection: close', ...signed())
  const pieces = entry.match(/[\s\S]{1,5000}/g) ?? []
  const { hostname, port } = new URL(shortTimeouts.origin)
  const socket = connect(Number(port), hostname)
  const response = closed(socket)
  socket.write(head.join('\r\n'))
  const started = performance.now()
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.write(piece)
  }
  expect(performance.now() - started).toBeGreaterThan(2 * seconds * 1_000)
  // The body was read to its end: it is rejected for its content, not its time.
  expect(await response).toMatch(/^HTTP\/1\.1 400 [\s\S]*new_photo_path/)
})
