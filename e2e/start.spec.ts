import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { administrator } from './product.ts'

const answers = (address: string) =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  )

async function startByNpm(demo: '0' | '1', dataDir = mkdtempSync(join(tmpdir(), 'guichet-npm-'))) {
  const environment = { ...process.env, PORT: '0', DATA_DIR: dataDir, DEMO: demo, ADMIN_PASSWORD: administrator.password }
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
  return { npm, address, dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Of the processes below one: megabytes that each had at most and has now, by the script that it runs. */
function readMemory(pid: number): Record<string, { most: number; now: number }> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024
  const script =
    readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .find((word) => /\.m?js$/.test(word)) ?? ''
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const own = { [script]: { most: megabytes('VmHWM'), now: megabytes('VmRSS') } }
  return Object.assign(own, ...children.map((child) => readMemory(Number(child))))
}

test('the product ends with the npm that started it, also where npm is killed, and stays within its memory', async () => {
  const started = await Promise.all([startByNpm('0'), startByNpm('1')])
  // The second one draws the pictures of the sample content.
  for (const { npm } of process.platform === 'linux' ? started : [])
    expect(readMemory(npm.pid ?? 0)['build/server/main.js']?.most).toBeLessThan(450)
  for (const { address } of started) expect(await answers(address)).toBe(true)
  started[0]?.npm.kill('SIGTERM')
  started[1]?.npm.kill('SIGKILL')
  for (const { address } of started) await expect.poll(() => answers(address), { timeout: 30_000 }).toBe(false)

  const later = await startByNpm('1', started[1]?.dataDir)
  const memory = process.platform === 'linux' ? readMemory(later.npm.pid ?? 0) : {}
  later.npm.kill('SIGTERM')
  await expect.poll(() => answers(later.address), { timeout: 30_000 }).toBe(false)
  for (const { remove } of started) remove()
  if (process.platform !== 'linux') return
  expect(memory['build/server/main.js']?.most).toBeLessThan(310)
  // npm starts it by a process that stays.
  expect(memory['scripts/guichet.mjs']?.now).toBeLessThan(110)
})
