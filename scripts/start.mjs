// `npm start` and `npm run dev`: installs and builds what is missing, then starts the product.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { findNode, install, root } from './setup.mjs'

install()
const node = findNode()
const development = process.argv.includes('--dev')

if (development) {
  restartOnChange()
} else {
  const { buildIfStale } = await import('./build.mjs')
  buildIfStale(node)
  const product = run(['build/server/main.js'], 'production')
  product.on('exit', leave)
  stopWith(() => product)
}

function run(parameters, mode) {
  return spawn(node, parameters, {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: join(root, 'build/.compiled'), ...process.env, NODE_ENV: mode },
  })
}

function leave(code, signal) {
  process.exit(signal ? 1 : (code ?? 1))
}

/** Vite reloads pages; the server restarts when one of its own files changes. */
function restartOnChange() {
  const isServers = /(^|[\\/])(server[\\/].*|main|contract|values)\.ts$|^lib[\\/].*\.ts$/
  const start = () => run(['src/main.ts'], 'development')
  let child = start()
  let waiting
  const restart = () => {
    const next = () => (child = start())
    if (child.exitCode !== null) return next()
    child.once('exit', next)
    child.kill('SIGTERM')
  }
  watch(join(root, 'src'), { recursive: true }, (_event, file) => {
    if (!file || !isServers.test(file) || file.endsWith('.test.ts')) return
    clearTimeout(waiting)
    waiting = setTimeout(restart, 150)
  })
  stopWith(() => child)
}

/** Forwards signals to the product, which then stops cleanly. */
function stopWith(current) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      const child = current()
      child.once('exit', leave)
      child.kill(signal)
    })
  }
}
