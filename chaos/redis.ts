import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/server/testing/free-port.ts'

/** A Redis of one's own that keeps nothing on the disk: what it knew is gone when it is stopped. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  async function start() {
    const child = spawn(process.env.REDIS_SERVER ?? 'redis-server', [
      ...['--port', String(port), '--bind', '127.0.0.1'],
      ...['--save', '', '--appendonly', 'no', '--dir', folder],
    ])
    server = child
    await new Promise<void>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Ready to accept connections')) resolve()
      })
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`redis-server stopped (${code}):\n${output}`)))
    })
  }
  async function stop() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}/3`,
    start,
    stop,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
