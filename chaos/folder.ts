import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administrator, startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { pause } from './clients.ts'
import { fill, mount, unmount } from './disk.ts'
import type { Row } from './row.ts'

const environmentOf = (dataDir: string) => ({
  ...process.env,
  NODE_ENV: 'production',
  PORT: '0',
  DATA_DIR: dataDir,
  ADMIN_PASSWORD: administrator.password,
  LOG_LEVEL: 'fatal',
})

const starts = 10

export const migrationKilled: Row = {
  name: 'migration',
  fault: `kill -9 ${starts} times during the first start, then a whole one; a second process on the data folder`,
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), 'guichet-chaos-'))
    for (let start = 1; start <= starts; start += 1) {
      const child = spawn(process.execPath, ['build/server/main.js'], { env: environmentOf(dataDir), stdio: 'ignore' })
      const gone = new Promise((resolve) => child.once('exit', resolve))
      // Each kill comes a little later, from the creation of the database to the sample content.
      await pause(150 + start * 250)
      child.kill('SIGKILL')
      await gone
    }
    const product = await startProduct({}, dataDir)
    const ready = (await fetch(`${product.address()}/readyz`)).status
    const networks = ((await (await fetch(`${product.address()}/api/networks/reseau`)).json()) as unknown[]).length
    const second = spawnSync(process.execPath, ['build/server/main.js'], { env: environmentOf(dataDir), encoding: 'utf8' })
    const stillThere = (await fetch(`${product.address()}/readyz`)).status
    await product.stop()
    return {
      good: ready === 200 && networks > 0 && second.status === 1 && second.stderr.length > 0 && stillThere === 200,
      figures: {
        kills: starts,
        'ready after': ready,
        'sample networks': networks,
        'second process': `exit ${second.status}: ${second.stderr.trim()}`,
      },
    }
  },
}

export const diskFull: Row = {
  name: 'disk',
  fault: 'the disk of the data folder full while forms are sent',
  async run() {
    const disk = mkdtempSync(join(tmpdir(), 'guichet-full-'))
    const dataDir = join(disk, 'data')
    mount(disk, 400)
    try {
      const product = await startProduct({ TRUST_PROXY: '1' }, dataDir)
      const client = await createTestClient(product.address()).arrive()
      const send = (number: number) =>
        client.post<{ reference?: string; detail?: string }>(
          '/api/mailer/contact',
          { honey: '', name: `Ana ${number}`, email: 'ana@example.com', phone: '418-555-0101', message: 'm'.repeat(1_900) },
          { headers: { 'x-forwarded-for': `198.18.0.${number % 250}` } },
        )
      const references: string[] = []
      const before = await send(0)
      references.push(before.body.reference ?? '')

      const free = fill(disk)
      let refused = 0
      let message = ''
      for (let number = 1; number <= 200; number += 1) {
        const response = await send(number)
        if (response.status === 200) references.push(response.body.reference ?? '')
        else {
          refused += 1
          message = `${response.status} ${response.body.detail}`
        }
      }
      const pages = (await fetch(product.address())).status
      free()
      await product.restart('SIGKILL')
      const after = await send(201)
      references.push(after.body.reference ?? '')
      await client.post('/api/auth/login', administrator)
      const stored = await findReferences(client)
      const absent = references.filter((reference) => !stored.has(reference)).length
      await product.stop()
      return {
        good: after.status === 200 && absent === 0 && pages === 200 && stored.size === references.length && refused > 0,
        figures: {
          accepted: references.length,
          refused,
          message,
          'accepted but absent': absent,
          'stored but refused': stored.size - references.length,
          pages,
        },
      }
    } finally {
      unmount(disk)
      rmSync(disk, { recursive: true, force: true })
    }
  },
}

async function findReferences(client: ReturnType<typeof createTestClient>) {
  const { text } = await client.get('/api/requests/requests/export.csv')
  return new Set(text.match(/CT-\d{4}-\d{6}/g))
}
