import type { SpawnOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Owner of the data: what root starts must not leave files in `DATA_DIR` that the product cannot read. */
export type Owner = { uid?: number; gid?: number }

export function findOwner(dataDir: string): Owner {
  const { uid, gid } = statSync(dataDir)
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : {}
}

/** The product's own Node in a folder of it. */
export function findNode(folder: string) {
  const pinned = join(folder, 'node_modules/.bin/node')
  return existsSync(pinned) ? pinned : process.execPath
}

/** As the shell that called `npx` or `npm run`, which put their own folders first. */
export function findShellPath({ PATH = '' }: NodeJS.ProcessEnv) {
  return PATH.split(delimiter)
    .filter((folder) => !/node_modules\/(\.bin|npm\/|@npmcli\/)|node-gyp-bin$/.test(folder))
    .join(delimiter)
}

/**
 * Ends the whole group of a child once its parent is gone, however that was killed: a build that goes on would write into the
 * folder of the next attempt.
 */
const tie = `process.stdin.on('error', () => undefined).on('end', () => process.kill(-process.pid, 'SIGKILL')).resume().unref?.();`

type Tied = Owner & { cwd: string; env: NodeJS.ProcessEnv; onLine?: (line: string) => void; signal?: AbortSignal }

/** Starts a script of Node whose processes end with this one; `module` is imported, then `call` runs on it. */
export function startTied(
  node: string,
  { module, call = '', words = [], execArgv = [] }: Script,
  { onLine, signal, ...options }: Tied,
) {
  const source = `${tie} const product = await import(${JSON.stringify(module)}); ${call}`
  const spawned: SpawnOptions = { ...options, stdio: ['pipe', 'pipe', 'pipe'], detached: true }
  const child = spawn(node, [...execArgv, '--input-type=module', '-e', source, '--', ...words], spawned)
  let output = ''
  let rest = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      output = (output + part.toString()).slice(-mostOutput)
      const lines = (rest + part.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine?.(line)
    })
  const stop = (name: NodeJS.Signals) => {
    // A negative number is the group.
    if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, name)
  }
  const abort = () => stop('SIGKILL')
  signal?.addEventListener('abort', abort)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  }).finally(() => signal?.removeEventListener('abort', abort))
  // Whoever waits for it hears of it; nobody may, where the child is only stopped.
  ended.catch(() => undefined)
  return { ended, stop, output: () => output, hasEnded: () => child.exitCode !== null || child.signalCode !== null }
}

type Script = { module: string; call?: string; words?: string[]; execArgv?: string[] }
const mostOutput = 20_000
