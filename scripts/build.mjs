// Builds the site and the server, if their sources changed since the last build.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, findNode, root } from './setup.mjs'

const stamp = join(root, 'build', '.built')
/** The files a company keeps of its own, outside of what an update replaces; each stands in for one of `company/`. */
const companyFolder = resolve(root, process.env.COMPANY_DIR || join(process.env.DATA_DIR || 'data', 'company'))
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

const steps = [
  [join(root, 'scripts/copy-company.ts'), companyFolder],
  [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
  [join(root, 'scripts/bundle-server.ts')],
  [join(root, 'scripts/first-database.ts')],
  [join(root, 'scripts/precompress.ts')],
  [join(root, 'scripts/sbom.ts')],
  [join(root, 'scripts/budget.ts')],
]
const environment = () => ({ ...process.env, NODE_ENV: 'production' })

/** Null where the build is of these sources. */
export function findStale() {
  const wanted = fingerprint()
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted ? null : wanted
}

/** Builds step by step and reports each; throws with the output of the step that fails. */
export async function buildWithProgress(node, onProgress) {
  const wanted = findStale()
  if (!wanted) return
  for (const [done, step] of steps.entries()) {
    onProgress(done, steps.length)
    const child = spawn(node, step, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
    const status = await new Promise((end) => child.once('close', end))
    if (status !== 0) throw new Error(output)
  }
  writeFileSync(stamp, wanted)
}

export function buildIfStale(node) {
  const wanted = findStale()
  if (!wanted) return
  console.log('Building…')
  for (const step of steps) {
    const done = spawnSync(node, step, { cwd: root, encoding: 'utf8', env: environment() })
    if (done.status !== 0) fail(`${done.stdout}\n${done.stderr}\nThe build failed.`)
    if (step[0].endsWith('budget.ts')) process.stdout.write(done.stdout)
  }
  writeFileSync(stamp, wanted)
}

function fingerprint() {
  const hash = createHash('sha256')
  const folders = existsSync(companyFolder) ? [...sources, companyFolder] : sources
  for (const source of folders) {
    const path = resolve(root, source)
    // An update builds in another folder than that which the product starts from.
    for (const file of filesUnder(path)) hash.update(`${basename(path)}/${relative(path, file)}`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfStale(findNode())
