import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, ownAddress } from './config.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'guichet-config-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe('the configuration', () => {
  test('needs no variable', () => {
    const config = readConfig({ DATA_DIR: dataDir })
    expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', adminUsername: 'admin', trustProxy: 0, hsts: null, demo: true })
  })

  test('trusts proxies by number or address, but never everybody', () => {
    const read = (value: string) => readConfig({ DATA_DIR: dataDir, TRUST_PROXY: value }).trustProxy
    expect([read('2'), read('false'), read('10.0.0.1, fd00::/8')]).toEqual([2, 0, ['10.0.0.1', 'fd00::/8']])
    expect(() => read('true')).toThrow('X-Forwarded-For')
  })

  test.each([
    ['https://www.example.com', 'https://api.example.com', 'example.com'],
    ['https://example.com', 'https://api.example.com', 'example.com'],
    ['https://www.shop.example.com', 'https://api.shop.example.com:8443', 'shop.example.com'],
    ['https://www.example.co.uk', 'https://api.example.co.uk', 'example.co.uk'],
  ])('shares the token of %s with %s over %s', (PUBLIC_URL, API_URL, cookieDomain) => {
    const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL, API_URL })
    expect(config).toMatchObject({ publicUrl: PUBLIC_URL, apiUrl: API_URL, chatUrl: API_URL, cookieDomain })
  })

  test.each([
    ['https://www.example.com', 'https://api.example.org'],
    ['https://www.example.com', 'http://api.example.com'],
    ['https://first.co.uk', 'https://second.co.uk'],
    // Each customer of a public suffix is a site of its own.
    ['https://first.github.io', 'https://second.github.io'],
    ['https://10.0.0.1', 'https://10.0.0.2'],
    ['', 'https://api.example.com'],
  ])('rejects pages at %j with the API at %s, another site', (PUBLIC_URL, API_URL) => {
    expect(() => readConfig({ DATA_DIR: dataDir, PUBLIC_URL, API_URL })).toThrow(/^API_URL: /)
  })

  test('takes the address of the pages as that of the API too', () => {
    const PUBLIC_URL = 'https://www.example.com'
    expect(readConfig({ DATA_DIR: dataDir, PUBLIC_URL, API_URL: PUBLIC_URL })).toMatchObject({
      apiUrl: undefined,
      chatUrl: undefined,
      cookieDomain: undefined,
    })
  })

  test('treats an empty variable as absent', () => {
    expect(readConfig({ DATA_DIR: dataDir, PORT: '', SMTP_URL: '' })).toMatchObject({ port: 3000, smtpUrl: undefined })
  })

  test('inserts sample content into PostgreSQL only on request', () => {
    const DATABASE_URL = 'postgres://somebody@localhost/guichet'
    expect(readConfig({ DATA_DIR: dataDir, DATABASE_URL }).demo).toBe(false)
    expect(readConfig({ DATA_DIR: dataDir, DATABASE_URL, DEMO: '1' }).demo).toBe(true)
  })

  test('stores its generated secret in a private file', () => {
    const { secret } = readConfig({ DATA_DIR: dataDir })
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect(readConfig({ DATA_DIR: dataDir }).secret).toBe(secret)
    const file = join(dataDir, 'session-secret')
    expect(readFileSync(file, 'utf8')).toBe(secret)
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  test.each([
    ['PORT', '99999'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'www.example.com'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['API_URL', 'api.example.com'],
    ['DATABASE_URL', 'mysql://localhost/guichet'],
    ['REDIS_URL', 'localhost'],
    ['SMTP_URL', 'http://localhost'],
    ['MAIL_FROM', 'nobody'],
    ['BACKUP_RECIPIENT', 'AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQ'],
    ['BACKUP_RECIPIENT', 'age1s5yad8 and another'],
    ['MAIL_SUPPORT_TO', 'a@b@c'],
    ['TRUST_PROXY', 'maybe'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.1, ::/0'],
    ['TRUST_PROXY', '10.0.0.1/33'],
    ['HSTS', 'yes'],
    ['MAX_SOCKETS_PER_ADDRESS', '0'],
    ['MAX_STREAMS_PER_ADDRESS', 'many'],
    ['REQUEST_TIMEOUT_S', '0.5'],
    ['SESSION_SECRET', 'short'],
    ['ADMIN_USERNAME', 'deux mots'],
    ['ADMIN_PASSWORD', 'short'],
    ['DEMO', 'yes'],
    ['GOOGLE_SITE_VERIFICATION', '"><script>'],
    ['BING_SITE_VERIFICATION', 'deux mots'],
    ['INDEXNOW_KEY', '../robots'],
    ['INDEXNOW_URL', 'ftp://example.com'],
    ['METRICS_TOKEN', 'short'],
    ['MAP_TILES_URL', 'https://tiles.example.com/'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'staging'],
  ])('rejects %s=%s with one line that names it', (name, value) => {
    const read = () => readConfig({ DATA_DIR: dataDir, [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name} is not valid: expected [^\\n]+\\.$`))
  })
})

test.each([
  ['localhost', 'http://localhost:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['fd00::2', 'http://[fd00::2]:3000'],
])('a command on the machine finds the product that listens on %s', (host, address) => {
  expect(ownAddress({ host, port: 3_000 })).toBe(address)
})
