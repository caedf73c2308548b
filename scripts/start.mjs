// Starts the product: the built one, or with `isDevelopment` its sources, again at each change.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { buildWithProgress } from './build.mjs'
import { findNode, root, whenStarterEnds } from './setup.mjs'

/**
 * A smaller young generation and two arenas of malloc save 150 MB of a first start and 50 MB later. With a threshold of its own
 * malloc gives each large buffer back once it is free, which saves 35 MB more, and 60 MB under load. The unit and the image
 * start the product the same way.
 */
const options = ['--max-semi-space-size=8']
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/** Returns the exit code of the product. */
export async function start({ isDevelopment, isBuilt, signal, onProgress, onBuilt }) {
  const node = findNode()
  if (!isDevelopment && !isBuilt) await buildWithProgress(node, onProgress)
  onBuilt?.()
  if (signal.aborted) return 1
  return new Promise((resolve) => {
    const current = isDevelopment ? restartOnChange(node) : runProduct(node)
    const stop = (name) => {
      const child = current()
      current.close?.()
      // It may have ended before, as one that does not start after a change.
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode ?? 1)
      child.once('exit', (code, killed) => resolve(killed ? 1 : (code ?? 1)))
      child.kill(name)
    }
    if (!isDevelopment) current().once('exit', (code, killed) => resolve(killed ? 1 : (code ?? 1)))
    let isStopping = false
    const stopOnce = () => {
      if (!isStopping) stop('SIGTERM')
      isStopping = true
    }
    for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, stopOnce)
    if (process.env.npm_lifecycle_event) whenStarterEnds(stopOnce)
    // A terminal sends Ctrl+C to the product, too.
    signal.addEventListener('abort', () => stop(process.stdin.isTTY ? 0 : 'SIGINT'))
  })
}

function run(node, parameters, mode) {
  const { GUICHET_COMMAND: _, ...env } = process.env
  return spawn(node, parameters, {
    cwd: root,
    stdio: 'inherit',
    env: {
      NODE_COMPILE_CACHE: join(root, 'build/.compiled'),
      ...allocator,
      ...env,
      NODE_ENV: mode,
      STARTED_BY: String(process.pid),
    },
  })
}

function runProduct(node) {
  const product = run(node, [...options, 'build/server/main.js'], 'production')
  return () => product
}

/** Vite reloads pages; the server restarts when one of its own files changes. */
function restartOnChange(node) {
  const isServers = /(^|[\\/])(server[\\/].*|main|contract|values)\.ts$|^lib[\\/].*\.ts$/
  const begin = () => run(node, ['src/main.ts'], 'development')
  let child = begin()
  let waiting
  let isClosed = false
  const restart = () => {
    const next = () => {
      if (!isClosed) child = begin()
    }
    if (child.exitCode !== null || child.signalCode !== null) return next()
    child.once('exit', next)
    child.kill('SIGTERM')
  }
  const watcher = watch(join(root, 'src'), { recursive: true }, (_event, file) => {
    if (!file || !isServers.test(file) || file.endsWith('.test.ts')) return
    clearTimeout(waiting)
    waiting = setTimeout(restart, 150)
  })
  const close = () => {
    isClosed = true
    clearTimeout(waiting)
    watcher.close()
  }
  return Object.assign(() => child, { close })
}
