// Runs on the system's Node, which may be older than the product's own: plain JavaScript, no dependency.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.installed')

/** Runs npm install where package-lock.json changed. */
export function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing what is missing…')
  const done = spawnSync('npm', ['install', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) fail('The installation failed: see the lines above.')
  writeFileSync(stamp, wanted)
}

/** The pinned Node, or the system's where it is new enough and there is none for this platform. */
export function findNode() {
  const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(`There is no pinned Node for ${process.platform} ${process.arch}: install Node 24 or newer, then try again.`)
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}
