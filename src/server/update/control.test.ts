import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Config } from '../config.ts'
import { createControl } from './control.ts'
import type { Control } from './journal.ts'
import { findPlaces } from './places.ts'
import { findControl } from './refusals.ts'

const release = { version: '1.1.0', commit: 'b' }
let folder: string
let calls: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-control-'))
  calls = join(folder, 'calls')
  mkdirSync(join(folder, 'database'))
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** In place of systemd, which no test may have: writes down its calls, and has one unit. */
function installSystemd(properties: Record<string, string>) {
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}`)
  const file = join(folder, 'systemctl')
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$1" = show ] && { printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}; exit 0; }\necho "$*" >>${calls}\n`,
  )
  chmodSync(file, 0o755)
}

const create = (control: Control, port = 1) => {
  const config = { dataDir: folder, databaseUrl: undefined, host: '127.0.0.1', port, secret: 's'.repeat(32) } as Config
  return createControl(control, { config, places: findPlaces(join(folder, 'guichet'), config), owner: {}, environment: {} })
}
const called = () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [])

test.runIf(process.getuid?.() === 0)('systemd stops and starts the unit of this folder, and no other', async () => {
  const root = join(folder, 'guichet')
  const places = findPlaces(root, { dataDir: folder })
  const rests = () => Promise.resolve(false)
  installSystemd({ LoadState: 'loaded', WorkingDirectory: '/opt/another' })
  expect(await findControl({ unit: 'guichet' }, places, rests)).toEqual({ kind: 'none' })
  installSystemd({ LoadState: 'loaded', WorkingDirectory: root })
  const control = await findControl({ unit: 'guichet' }, places, rests)
  expect(control).toEqual({ kind: 'systemd', unit: 'guichet' })
  const product = create(control)
  await product.stop()
  await product.start()
  expect(called()).toEqual(['stop guichet', 'reset-failed guichet', 'start guichet'])
})

test('a service that systemd starts again and again is not waited for', async () => {
  installSystemd({ ActiveState: 'activating', NRestarts: '3' })
  const product = create({ kind: 'systemd', unit: 'guichet' })
  await expect(product.waitUntilReady(release, 600_000)).rejects.toThrow('journalctl -u guichet -n 50')
})

test('commands of the administrator stop and start, and one that fails says so', async () => {
  const product = create({ kind: 'commands', stop: 'false', start: `echo started >>${calls}` })
  await product.start()
  expect(called()).toEqual(['started'])
  await expect(create({ kind: 'commands', stop: 'true', start: 'exit 7' }).start()).rejects.toThrow('“exit 7” failed (7)')
})

test('a product is ready once it answers as the version that is waited for', async () => {
  let running = { version: '1.0.0', commit: 'a' as string | null }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(request.url === '/readyz' ? 'OK' : JSON.stringify(running))
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
  const product = create({ kind: 'commands', stop: 'true', start: 'true' }, port)
  await expect(product.waitUntilReady(release, 1)).rejects.toThrow('version 1.1.0 is not ready (version 1.0.0, a)')
  running = { version: '1.1.0', commit: 'c' }
  await expect(product.waitUntilReady(release, 1)).rejects.toThrow('version 1.1.0 is not ready (version 1.1.0, c)')
  running = { version: '1.1.0', commit: null }
  await product.waitUntilReady(release, 1)
  server.close()
})
