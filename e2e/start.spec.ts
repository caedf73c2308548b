import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { administrator } from './product.ts'

const answers = (address: string) =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  )

async function startByNpm() {
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-npm-'))
  const environment = { ...process.env, PORT: '0', DATA_DIR: dataDir, DEMO: '0', ADMIN_PASSWORD: administrator.password }
  const npm = spawn('npm', ['start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    for (const stream of [npm.stdout, npm.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = /Guichet is running at (http:\S+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
    npm.once('exit', () => reject(new Error(output)))
  })
  return { npm, address, remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }) }
}

test('the product ends with the npm that started it, also where npm is killed', async () => {
  const started = await Promise.all([startByNpm(), startByNpm()])
  for (const { address } of started) expect(await answers(address)).toBe(true)
  started[0]?.npm.kill('SIGTERM')
  started[1]?.npm.kill('SIGKILL')
  for (const { address, remove } of started) {
    await expect.poll(() => answers(address), { timeout: 30_000 }).toBe(false)
    remove()
  }
})
