import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs a plain server of this folder in its own process, which sends its port as its first message. */
export async function startPlain(file: string, ...parameters: string[]) {
  const child = fork(join(import.meta.dirname, file), parameters, {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)))
    child.once('exit', (code) => reject(new Error(`${file} stopped (${code})`)))
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill()
    },
  }
}

/** Resident memory of a process, in bytes. */
export function memoryOf(pid: number) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
