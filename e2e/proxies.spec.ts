import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { features } from '../src/app/features.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { Network } from '../src/features/networks/contract.ts'
import { makeTone } from '../src/features/recordings/server/sound.ts'
import { upload } from '../src/features/recordings/testing/calls.ts'
import { followStream } from '../src/server/testing/follow-stream.ts'
import { freePort } from '../src/server/testing/free-port.ts'
import { expect, test as base } from './fixtures.ts'
import { openCounter } from './technician.ts'
import type { Product } from './product.ts'
import { administrator, startProduct } from './product.ts'
import { logIn, open, say, words } from './visitor.ts'

type Proxy = { origin: string; log: () => string }

const test = base.extend<object, { behind: Product; folder: string }>({
  behind: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const product = await startProduct({ TRUST_PROXY: '1' })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  folder: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const made = mkdtempSync(join(tmpdir(), 'guichet-proxy-'))
      await use(made)
      rmSync(made, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

test.describe.configure({ mode: 'serial' })

const has = (program: string, parameter: string) => !spawnSync(program, [parameter]).error

test('Caddy takes deploy/Caddyfile as it is, and carries pages, chat, files and live events', async ({
  browser,
  page,
  behind,
  folder,
}) => {
  test.skip(!has('caddy', 'version'), 'Caddy is not installed')
  const environment = { ...process.env, DOMAIN: 'www.example.com', UPSTREAM: '127.0.0.1:3000 127.0.0.1:3001', HOME: folder }
  expectAccepted('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile'], environment)

  const origin = `http://127.0.0.1:${await freePort()}`
  const file = join(folder, 'Caddyfile')
  // Its administration has one port, and a failure is answered sooner.
  const site = readFileSync('deploy/Caddyfile', 'utf8').replace(/^\{$/m, '{\n\tadmin off').replace('duration 20s', 'duration 1s')
  writeFileSync(file, site)
  const upstream = new URL(behind.address()).host
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...environment, DOMAIN: origin, UPSTREAM: upstream },
  })
  const log = collect(child)
  try {
    await expectCarried(browser, page, { origin, log })
  } finally {
    // Asked to stop, it would wait for the live stream of the page.
    await end(child, 'SIGKILL')
  }

  const failing = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...environment, DOMAIN: origin, UPSTREAM: `127.0.0.1:${await freePort()}` },
  })
  const errors = collect(failing)
  try {
    await expectUp(`${origin}/metrics`, 404)
    await expectNoKeys(origin, 503, errors)
    expect(errors()).toContain('"http.log.error')
  } finally {
    await end(failing, 'SIGKILL')
  }
})

test('nginx takes deploy/nginx.conf as it is, and carries pages, chat, files and live events', async ({
  browser,
  page,
  behind,
  folder,
}) => {
  test.skip(!has('nginx', '-v'), 'nginx is not installed')
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = ['-subj', '/CN=www.example.com', '-keyout', key, '-out', certificate]
  expectAccepted('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names])
  const [open, secure] = [await freePort(), await freePort()]
  const site = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('/etc/letsencrypt/live/www.example.com/fullchain.pem', certificate)
    .replace('/etc/letsencrypt/live/www.example.com/privkey.pem', key)
    .replace('/var/log/nginx/guichet.log', join(folder, 'access.log'))
    .replaceAll('/var/log/nginx/error.log', join(folder, 'error.log'))
    .replaceAll(/:?\]?:?\b80;/g, (port) => port.replace('80', String(open)))
  const withPorts = site.replaceAll(' 443 ', ` ${secure} `).replaceAll(']:443 ', `]:${secure} `)
  expectAccepted('nginx', ['-t', ...writeConfiguration(folder, 'whole.conf', withPorts)])

  // Without TLS, whose certificate nobody signed.
  const port = await freePort()
  const plain = (upstream: string) =>
    withPorts
      .replaceAll(/^\s*(ssl_|listen \[).*$/gm, '')
      .replace(/listen \d+;/, `listen 127.0.0.1:${open};`)
      .replace(/listen \d+ ssl http2;/, `listen 127.0.0.1:${port};`)
      .replaceAll('127.0.0.1:3000', upstream)
  const log = () => ['access.log', 'debian.log', 'error.log'].map((file) => readFileSync(join(folder, file), 'utf8')).join('')
  const origin = `http://127.0.0.1:${port}`
  const child = spawn('nginx', writeConfiguration(folder, 'plain.conf', plain(new URL(behind.address()).host)))
  collect(child)
  try {
    await expectCarried(browser, page, { origin, log })
    await expectNoKeys(`http://127.0.0.1:${open}`, 301, log)
  } finally {
    await end(child, 'SIGTERM')
  }

  const failing = spawn('nginx', writeConfiguration(folder, 'failing.conf', plain(`127.0.0.1:${await freePort()}`)))
  collect(failing)
  try {
    await expectUp(`${origin}/metrics`, 404)
    await expectNoKeys(origin, 502, log)
  } finally {
    await end(failing, 'SIGTERM')
  }
})

const secret = 'c2VjcmV0LXRva2VuLW9mLWEtbWFpbA'
const secretPaths = features.flatMap((one) => one.secretPaths ?? [])

const expectUp = (address: string, expected: number) =>
  expect
    .poll(
      () =>
        fetch(address).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(expected)

/** What fails or is only redirected is logged without its key too. */
async function expectNoKeys(origin: string, expected: number, log: () => string) {
  const ask = async (path: string) => {
    const headers = { referer: `${origin}${path}${secret}`, cookie: `guichet=${secret}` }
    return (await fetch(`${origin}${path}${secret}`, { headers, redirect: 'manual' })).status
  }
  expect(await Promise.all(secretPaths.map(ask))).toEqual(secretPaths.map(() => expected))
  expect(log()).not.toContain(secret)
}

/** Everything that goes through a proxy, and what its log keeps of it. */
async function expectCarried(browser: Browser, page: Page, proxy: Proxy) {
  await expectUp(`${proxy.origin}/healthz`, 200)
  expect((await fetch(`${proxy.origin}/metrics`)).status).toBe(404)
  for (const path of [...secretPaths, '/about?token='])
    await fetch(`${proxy.origin}${path}${secret}`, { headers: { referer: `${proxy.origin}${path}${secret}` } })

  const staff = await createTestClient(proxy.origin).arrive()
  expect((await staff.post('/api/auth/login', administrator)).status).toBe(200)
  const size = 40 * 1024 * 1024
  const call = makeTone({ seconds: size / 16_000, isLoud: () => false })
  const name = `external-101-4185550199-20261120-143000-1700000000.${Date.now()}.wav`
  expect((await upload(staff, { name, content: call })).status).toBe(201)

  const live = await followStream(`${proxy.origin}/api/live`)
  await staff.post<Network>('/api/networks/reseau', { nom: `Réseau ${Date.now()}`, status: 'ONLINE', details: '[]' })
  await live.next('"networks"')
  live.close()

  const t = words.fr
  const visitor = `Par le mandataire ${Date.now()}`
  const [cookie, ...others] = [...staff.cookies].map(([cookieName, value]) => ({ name: cookieName, value, url: proxy.origin }))
  if (!cookie) throw new Error('the sign-in gave no cookie')
  const office = await browser.newContext({ baseURL: proxy.origin })
  await office.addCookies([cookie, ...others])
  const counter = await openCounter(await office.newPage(), proxy.origin)
  await page.goto(proxy.origin)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await open(page, 'fr', t, proxy.origin)
  await logIn(page, t, visitor)
  await say(page, t, 'Êtes-vous là?')
  await expect.poll(counter.texts).toContain('Êtes-vous là?')
  await counter.say(await counter.claim(visitor), 'Oui, bonjour.')
  await expect(page.getByRole('log')).toContainText('Oui, bonjour.')
  await counter.closeAll()
  await counter.leave()
  await office.close()

  // It would ask on while the proxy stops.
  await page.close()
  await expect.poll(() => proxy.log()).toContain('/socket.io/')
  for (const path of secretPaths) expect(proxy.log()).toContain(`${path}-`)
  expect(proxy.log()).not.toContain(secret)
  for (const { value } of [cookie, ...others]) expect(proxy.log()).not.toContain(value)
}

function expectAccepted(program: string, parameters: string[], env: NodeJS.ProcessEnv = process.env) {
  const done = spawnSync(program, parameters, { encoding: 'utf8', env })
  expect(done.status, `${program}: ${done.error ?? ''}${done.stderr}`).toBe(0)
}

/** The site within what Debian's /etc/nginx/nginx.conf has around it, in a folder of its own. */
function writeConfiguration(folder: string, name: string, site: string) {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
  const file = join(folder, name)
  const events = 'events { worker_connections 768; }'
  const logs = `access_log ${folder}/debian.log;\nerror_log ${folder}/error.log;`
  writeFileSync(file, `pid ${folder}/${name}.pid;\n${events}\nhttp {\n${places.join('\n')}\n${logs}\n${site}\n}\n`)
  return ['-c', file, '-g', 'daemon off; error_log stderr;']
}

function collect(child: ChildProcess) {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return () => output
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await gone
}
