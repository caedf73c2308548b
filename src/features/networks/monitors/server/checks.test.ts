import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeCertificate } from '#src/server/testing/test-push-service.ts'
import { startNameServer } from '../testing/name-server.ts'
import { startPage, startPort } from '../testing/target.ts'
import type { Check } from './checks.ts'
import { runCheck } from './checks.ts'
import { checkAddress, createTargetResolver, ForbiddenTarget, namesLoopback, readHostAndPort } from './targets.ts'

const stopped = new AbortController().signal
const usual = { timeout_ms: 2_000, expect: {} } as const
const check = (input: Pick<Check, 'kind' | 'target'> & Partial<Check>, servers?: string[]) =>
  runCheck({ ...usual, ...input }, createTargetResolver(servers ? { servers } : {}), stopped)

const open: { stop: () => unknown }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const one of open.splice(0)) await one.stop()
})
async function page(...answer: Parameters<typeof startPage>) {
  const started = await startPage(...answer)
  open.push(started)
  return started
}
async function names(given: Record<string, string[]>) {
  const server = await startNameServer(given)
  open.push(server)
  return [server.address]
}

describe('addresses', () => {
  test.each([
    '169.254.169.254',
    '169.254.0.1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '::',
    '::127.0.0.1',
    '255.255.255.255',
    '224.0.0.1',
    'ff02::1',
  ])('%s is never connected to, even where the target names it', (address) => {
    expect(() => checkAddress(address, address)).toThrow(ForbiddenTarget)
    expect(() => checkAddress(address, 'intranet.example.com')).toThrow(ForbiddenTarget)
  })
  test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])(
    '%s is this machine: only a target that names it',
    (address) => {
      expect(() => checkAddress(address, 'intranet.example.com')).toThrow(ForbiddenTarget)
      expect(() => checkAddress(address, 'localhost')).not.toThrow()
      expect(() => checkAddress(address, address)).not.toThrow()
    },
  )
  test.each(['10.0.0.5', '192.168.1.1', '172.16.3.4', 'fd12:3456::1', '203.0.113.9', '2607:f8b0::1'])(
    '%s may be monitored',
    (address) => expect(() => checkAddress(address, 'intranet.example.com')).not.toThrow(),
  )
  test('only the names of RFC 6761 name this machine', () => {
    expect(['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.2'].every(namesLoopback)).toBe(true)
    expect(['localhost.example.com', 'mylocalhost', '10.0.0.1', ''].some(namesLoopback)).toBe(false)
  })
  test('a host and a port are read, with IPv6 in brackets', () => {
    expect(readHostAndPort('srv:22')).toEqual({ host: 'srv', port: 22 })
    expect(readHostAndPort('[::1]:443')).toEqual({ host: '::1', port: 443 })
    for (const wrong of ['srv', 'srv:0', 'srv:70000', '::1:22', '[srv]:22', 'a b:1', 'user@srv:1', 'http://srv:80'])
      expect(readHostAndPort(wrong), wrong).toBeNull()
  })
})

describe('a page', () => {
  test('is up with any status of success, or the one that is expected', async () => {
    const { url } = await page((_request, response) => response.writeHead(503).end())
    expect(await check({ kind: 'http', target: url })).toMatchObject({ state: 'down', reason: 'status', detail: '503' })
    expect(await check({ kind: 'http', target: url, expect: { status: 503 } })).toMatchObject({ state: 'up', reason: null })
  })
  test('is searched for its text, to a limit', async () => {
    const { url } = await page((_request, response) => response.end('x'.repeat(900_000) + 'Bienvenue' + 'x'.repeat(3_000_000)))
    expect(await check({ kind: 'http', target: url, expect: { text: 'Bienvenue' } })).toMatchObject({ state: 'up' })
    expect(await check({ kind: 'http', target: url, expect: { text: 'absent' } })).toMatchObject({
      state: 'down',
      reason: 'text',
    })
  })
  test('of the same host is followed to, another host is not called', async () => {
    const other = await page()
    const { url, asked } = await page((request, response) => {
      if (request.url === '/') return response.writeHead(302, { location: '/there' }).end()
      if (request.url === '/away') return response.writeHead(302, { location: `http://localhost:${other.port}/` }).end()
      if (request.url === '/metadata') return response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()
      if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end()
      return response.end('here')
    })
    expect(await check({ kind: 'http', target: url, expect: { text: 'here' } })).toMatchObject({ state: 'up' })
    expect(asked.map((one) => one.replace(/^[^/]*/, ''))).toEqual(['/', '/there'])
    expect(await check({ kind: 'http', target: `${url}away` })).toMatchObject({ state: 'down', reason: 'redirect' })
    expect(await check({ kind: 'http', target: `${url}metadata` })).toMatchObject({
      reason: 'redirect',
      detail: '169.254.169.254',
    })
    expect(await check({ kind: 'http', target: `${url}loop` })).toMatchObject({ reason: 'redirect' })
    expect(other.asked).toEqual([])
  })
  test('whose name changes to this machine after its first answer is not called', async () => {
    const { port, asked } = await page()
    const given = { 'rebind.test': ['192.0.2.1'], 'inside.test': ['127.0.0.1'] }
    const servers = await names(given)
    const input = { kind: 'http', timeout_ms: 300 } as const
    expect(await check({ ...input, target: `http://inside.test:${port}/` }, servers)).toMatchObject({ reason: 'forbidden' })
    const resolver = createTargetResolver({ servers })
    expect(await resolver.resolve('rebind.test')).toEqual(['192.0.2.1'])
    given['rebind.test'] = ['127.0.0.1']
    const result = await runCheck({ ...usual, ...input, target: `http://rebind.test:${port}/` }, resolver, stopped)
    expect(result).toMatchObject({ state: 'down', reason: 'forbidden' })
    expect(asked).toEqual([])
  })
  test.each(['http://169.254.169.254/latest/meta-data/', 'http://[::ffff:a9fe:a9fe]/', 'http://0/', 'http://0xa9fea9fe/'])(
    'at %s is refused',
    async (target) => {
      expect(await check({ kind: 'http', target })).toMatchObject({ state: 'down', reason: 'forbidden' })
    },
  )
  test('whose name has one forbidden address is refused', async () => {
    const servers = await names({ 'mixed.test': ['192.0.2.1', '169.254.169.254'], 'v6.test': ['fe80::1'] })
    for (const host of ['mixed.test', 'v6.test'])
      expect(await check({ kind: 'http', target: `http://${host}/` }, servers)).toMatchObject({ reason: 'forbidden' })
  })
  test('that does not end its answer is down in time', async () => {
    const { url } = await page((_request, response) => response.write('…'))
    const started = performance.now()
    expect(await check({ kind: 'http', target: url, timeout_ms: 200, expect: { text: 'x' } })).toMatchObject({
      reason: 'timeout',
    })
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('a port', () => {
  test('is up, down, and up after a single lost packet', async () => {
    let losses = 0
    const port = await startPort(() => (losses-- > 0 ? 'reset' : null))
    open.push({ stop: port.close })
    const input = { kind: 'http', target: `http://${port.target}/` } as const
    expect(await check({ kind: 'tcp', target: port.target })).toMatchObject({ state: 'up' })
    losses = 1
    expect(await check(input)).toMatchObject({ state: 'up' })
    losses = 2
    expect(await check(input)).toMatchObject({ state: 'down', reason: 'unreachable' })
    await port.close()
    expect(await check({ kind: 'tcp', target: port.target })).toMatchObject({ state: 'down', reason: 'refused', ms: null })
  })
})

describe('a name', () => {
  test('has the address that is expected', async () => {
    const servers = await names({ 'www.test': ['192.0.2.7'] })
    const input = { kind: 'dns', target: 'www.test' } as const
    expect(await check(input, servers)).toMatchObject({ state: 'up' })
    expect(await check({ ...input, expect: { text: '192.0.2.7' } }, servers)).toMatchObject({ state: 'up' })
    const wrong = await check({ ...input, expect: { text: '192.0.2.8' } }, servers)
    expect(wrong).toMatchObject({ state: 'down', reason: 'address', detail: '192.0.2.7' })
    expect(await check({ ...input, target: 'absent.test' }, servers)).toMatchObject({ state: 'down', reason: 'name' })
  })
})

describe('a certificate', () => {
  test('that this machine does not trust is down, and one that ends soon is degraded', async () => {
    const { key, certificate } = makeCertificate(10)
    const server = createTlsServer({ key, cert: certificate })
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push({ stop: () => server.close() })
    const input = { kind: 'certificate', target: `127.0.0.1:${(server.address() as AddressInfo).port}` } as const
    expect(await check(input)).toMatchObject({ state: 'down', reason: 'certificate' })
    const trusted = getCACertificates('default')
    open.push({ stop: () => setDefaultCACertificates(trusted) })
    setDefaultCACertificates([...trusted, certificate])
    expect(await check(input)).toMatchObject({ state: 'degraded', reason: 'expires', detail: '9' })
    expect(await check({ ...input, expect: { days_left: 5 } })).toMatchObject({ state: 'up' })
  })
})

describe('a ping', () => {
  /** The program that the system would run, with this behaviour. */
  function installPing(script: string) {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-ping-'))
    open.push({ stop: () => rmSync(folder, { recursive: true, force: true }) })
    writeFileSync(join(folder, 'ping'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'ping'), 0o755)
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
    return folder
  }
  const ping = { kind: 'ping', target: '127.0.0.1' } as const

  test('runs the program of the system with an address and nothing else of the target', async () => {
    const folder = installPing(
      'printf "%s " "$@" >> "$(dirname "$0")/asked"; echo "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=3.4 ms"',
    )
    expect(await check(ping)).toEqual({ state: 'up', ms: 3, reason: null, detail: '' })
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('-n -c 1 -W 2 127.0.0.1 ')
  })
  const hasPing = spawnSync('ping', ['-n', '-c', '1', '127.0.0.1']).status === 0
  test.runIf(hasPing)('by the program of this system reads its response time', async () => {
    expect(await check(ping)).toEqual({ state: 'up', ms: expect.any(Number) as number, reason: null, detail: '' })
    expect(await check({ ...ping, target: 'localhost' })).toMatchObject({ state: 'up' })
  })
  test('without an answer twice is down', async () => {
    installPing('exit 1')
    expect(await check(ping)).toMatchObject({ state: 'down', reason: 'no answer' })
  })
  test('that cannot be sent tells nothing of the target', async () => {
    installPing('echo "socket: Operation not permitted" >&2; exit 2')
    expect(await check(ping)).toMatchObject({ state: 'unknown', reason: 'impossible', detail: 'socket: Operation not permitted' })
    vi.stubEnv('PATH', '/nowhere')
    expect(await check(ping)).toMatchObject({ state: 'unknown', reason: 'no program', detail: 'ping' })
  })
  test('of a forbidden address is not sent', async () => {
    const folder = installPing('printf "%s " "$@" >> "$(dirname "$0")/asked"')
    expect(await check({ ...ping, target: '169.254.169.254' })).toMatchObject({ reason: 'forbidden' })
    expect(() => readFileSync(join(folder, 'asked'))).toThrow('ENOENT')
  })
})

test('a stopping product takes no result of a check that it broke off', async () => {
  const port = await startPort(() => 'silence')
  open.push({ stop: port.close })
  const stopping = new AbortController()
  const running = runCheck({ ...usual, kind: 'http', target: `http://${port.target}/` }, createTargetResolver(), stopping.signal)
  await vi.waitUntil(() => port.count() > 0, { timeout: 30_000 })
  stopping.abort()
  expect(await running).toBeNull()
})
