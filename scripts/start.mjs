// `npm start` and `npm run dev`: installs and builds what is missing, then hands over to the product.
import { spawn } from 'node:child_process'
import { findNode, install, root } from './setup.mjs'

install()
const node = findNode()
const development = process.argv.includes('--dev')

if (development) {
  run(['--watch', '--watch-preserve-output', 'src/main.ts'], 'development')
} else {
  const { buildIfStale } = await import('./build.mjs')
  buildIfStale(node)
  run(['--enable-source-maps', 'build/server/main.js'], 'production')
}

function run(parameters, mode) {
  const child = spawn(node, parameters, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: mode } })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
