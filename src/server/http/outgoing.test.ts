import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPublicAddress, fetchOutside, ForbiddenAddress, isPublicAddress, sendOutside } from './outgoing.ts'

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'localhost',
  '',
])('an address that is not public is told: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4007::1'])('a public address: %s', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  'http://8.8.8.8/',
  'https://user@8.8.8.8/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:7f00:1]/',
  'https://localhost/',
  'https://169.254.169.254/latest/meta-data',
])('is refused, and never called: %s', async (url) => {
  await expect(checkPublicAddress(url)).rejects.toBeInstanceOf(ForbiddenAddress)
  if (url.includes('@')) return
  await expect(sendOutside({ url, method: 'GET', timeoutMs: 2_000 })).rejects.toBeInstanceOf(ForbiddenAddress)
})

test('a host of the setting may be in a private network, but only by https', async () => {
  await expect(checkPublicAddress('https://127.0.0.1:8443/push', ['127.0.0.1'])).resolves.toBeUndefined()
  await expect(checkPublicAddress('http://127.0.0.1:8443/push', ['127.0.0.1'])).rejects.toBeInstanceOf(ForbiddenAddress)
  await expect(checkPublicAddress('https://127.0.0.2/push', ['127.0.0.1'])).rejects.toBeInstanceOf(ForbiddenAddress)
})

describe('a file of another site', () => {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/file') response.end('content')
    else if (path === '/moved') response.writeHead(301, { location: '/file' }).end()
    else if (path === '/inside') response.writeHead(301, { location: 'http://127.0.0.2/file' }).end()
    else if (path === '/script') response.writeHead(301, { location: 'file:///etc/passwd' }).end()
    else if (path === '/around') response.writeHead(301, { location: '/around' }).end()
    else if (path === '/cut') {
      response.writeHead(200, { 'content-length': 100 }).write('part')
      setImmediate(() => response.destroy())
    } else if (path === '/endless') response.write('a')
    else response.writeHead(503).end()
  })
  let origin = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const fetchIt = (path: string, limits = {}) =>
    fetchOutside(origin + path, { maxBytes: 100, timeoutMs: 5_000, allowedHosts: ['127.0.0.1'], ...limits })

  test('is read, also where it has moved', async () => {
    expect(String(await fetchIt('/file'))).toBe('content')
    expect(String(await fetchIt('/moved'))).toBe('content')
  })

  test.each([
    ['at a private address', '/file', { allowedHosts: [] }, ForbiddenAddress],
    ['moved to a private address', '/inside', {}, ForbiddenAddress],
    ['moved to a file of this machine', '/script', {}, ForbiddenAddress],
    ['moved for ever', '/around', {}, /redirects: 5/],
    ['larger than the limit', '/file', { maxBytes: 6 }, /size: 6/],
    ['not all of it', '/cut', {}, Error],
    ['slower than the limit', '/endless', { timeoutMs: 50 }, /time: 50/],
    ['with another status', '/none', {}, /status: 503/],
  ])('%s is refused', async (_name, path, limits, expected) => {
    await expect(fetchIt(path, limits)).rejects.toThrow(expected)
  })
})
