// Builds the site and the server, if their sources changed since the last build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, findNode, root } from './setup.mjs'

const stamp = join(root, 'build', '.built')
const sources = [
  'src',
  'company',
  'public',
  'scripts',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
]

export function buildIfStale(node) {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Building…')
  const steps = [
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    [join(root, 'scripts/bundle-server.ts')],
    [join(root, 'scripts/precompress.ts')],
    [join(root, 'scripts/sbom.ts')],
    [join(root, 'scripts/budget.ts')],
  ]
  for (const step of steps) {
    const done = spawnSync(node, step, { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } })
    if (done.status !== 0) fail(`${done.stdout}\n${done.stderr}\nThe build failed.`)
    if (step[0].endsWith('budget.ts')) process.stdout.write(done.stdout)
  }
  writeFileSync(stamp, wanted)
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const source of sources) for (const file of filesUnder(join(root, source))) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]))
}

if (process.argv[1] === import.meta.filename) buildIfStale(findNode())
