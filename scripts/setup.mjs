// Runs on the system's Node, which may be older than the product's own: plain JavaScript, no dependency.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockFile = join(root, 'package-lock.json')
const modules = join(root, 'node_modules')
const stamp = join(modules, '.installed')
// An older npm, as Debian's, would rewrite package-lock.json in its own form, and the next `git pull` would be refused.
const words = ['install', '--no-save', '--loglevel=error']
const currentNpm = 'npm@11.19.1'
/** Settings of the installed service, by the same reader as in deploy/guichet.service. */
const { ENV_FILE: settings } = process.env
const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }
const texts = {
  fr: {
    installing: 'Installation de ce qui manque…',
    failed: 'L’installation a échoué : voyez les lignes ci-dessus.',
    packages: 'paquets',
  },
  en: {
    installing: 'Installing what is missing…',
    failed: 'The installation failed: see the lines above.',
    packages: 'packages',
  },
}

try {
  // A Node without it, as Debian 12's, only hands over to the product's own, which reads the file.
  if (settings) process.loadEnvFile?.(settings)
} catch (error) {
  fail(`ENV_FILE: ${settings} ${isFrench() ? 'ne peut pas être lu' : 'cannot be read'} (${error.code ?? error.message}).`)
}

export function isFrench() {
  const { argv, env } = process
  const at = argv.indexOf('--lang')
  const given = at === -1 ? argv.find((word) => word.startsWith('--lang='))?.slice(7) : argv[at + 1]
  return (given ?? (env.LC_ALL || env.LC_MESSAGES || env.LANG || '')).startsWith('fr')
}

/** Runs npm install where package-lock.json changed. */
export function install() {
  const wanted = fingerprint()
  if (isInstalled(wanted)) return
  console.log(texts.en.installing)
  if (spawnSync(...findNpm(), options).status !== 0) fail(texts.en.failed)
  linkCommand()
  writeFileSync(stamp, wanted)
}

/** The same, telling how far it is on stderr: the first start would be silent for a minute. */
export async function installWithProgress() {
  if (!existsSync(lockFile)) return
  const wanted = fingerprint()
  if (isInstalled(wanted)) return
  const t = texts[isFrench() ? 'fr' : 'en']
  const isJson = process.argv.includes('--json')
  const isQuiet = process.argv.includes('--quiet')
  const { isTTY } = process.stderr
  if (!isJson && !isQuiet) process.stderr.write(`${t.installing}\n`)
  const total = countPackages(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
  const show = (done = Math.min(total, countInstalled())) => {
    if (isJson) process.stderr.write(`${JSON.stringify({ done, total, unit: 'packages' })}\n`)
    else process.stderr.write(`${isTTY ? '\r\u001B[K' : ''}${done} / ${total} ${t.packages}${isTTY ? '' : '\n'}`)
  }
  const timer = isQuiet ? undefined : setInterval(() => show(), isJson ? 1_000 : isTTY ? 500 : 10_000)
  // Of what npm says, its errors; what it would sum up is told already.
  const child = spawn(...findNpm(), { ...options, stdio: ['ignore', 'ignore', 2] })
  const status = await new Promise((resolve) => child.once('exit', resolve).once('error', () => resolve(1)))
  clearInterval(timer)
  // Some of the same system and processor are for another library of C: not wanted here, and not counted as missing.
  if (status === 0 && !isQuiet) show(total)
  if (isTTY && !isQuiet && !isJson) process.stderr.write('\r\u001B[K')
  if (status !== 0) fail(t.failed)
  linkCommand()
  writeFileSync(stamp, wanted)
}

/**
 * What `npx guichet` runs where npm is told not to link it itself (docs/operations.md): it would change the mode of a file that
 * the service's own user must not own.
 */
function linkCommand() {
  const link = join(modules, '.bin/guichet')
  mkdirSync(dirname(link), { recursive: true })
  if (process.platform !== 'win32' && !existsSync(link)) symlinkSync('../../scripts/guichet.mjs', link)
}

/**
 * npm, and what it is told. On a Node too old for the tools of the build npm would leave out their parts for this machine, without
 * a word: it then fetches the pinned Node and a current npm first, into its cache, and these install.
 */
function findNpm() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isRecent = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
  const pinned = `node-${process.platform}-${process.arch}`
  const { optionalDependencies: nodes = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (isRecent || !nodes[pinned]) return ['npm', words]
  const packages = [`${pinned}@${nodes[pinned]}`, currentNpm].map((name) => `--package=${name}`)
  return ['npx', ['--yes', '--loglevel=error', ...packages, '-c', `npm ${words.join(' ')}`]]
}

const fingerprint = () => createHash('sha256').update(readFileSync(lockFile)).digest('hex')
const isInstalled = (wanted) => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted

/** Packages that lie directly in node_modules on a machine of this kind. */
function countPackages(packages) {
  const isFor = (kinds, own) => !kinds || [kinds].flat().includes(own)
  return Object.entries(packages).filter(
    ([path, { os, cpu }]) => path.lastIndexOf('node_modules/') === 0 && isFor(os, process.platform) && isFor(cpu, process.arch),
  ).length
}

function countInstalled() {
  if (!existsSync(modules)) return 0
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  return names.reduce((sum, name) => sum + (name.startsWith('@') ? readdirSync(join(modules, name)).length : 1), 0)
}

/** The pinned Node, or the system's where it is new enough and there is none for this platform. */
export function findNode() {
  const pinned = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(`There is no pinned Node for ${process.platform} ${process.arch}: install Node 24 or newer, then try again.`)
}

/** Calls back once npm or its shell is gone: neither passes a signal on, and either may be killed. */
export function whenStarterEnds(end) {
  const starters = findStarters()
  const timer = setInterval(() => {
    if (findStarters() === starters) return
    clearInterval(timer)
    end()
  }, 500)
  timer.unref()
}

/** The process that started this one, and on Linux the one that started that: npm, above its shell. */
function findStarters() {
  try {
    const line = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${line.slice(line.lastIndexOf(')')).split(' ')[2]}`
  } catch {
    return String(process.ppid)
  }
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installWithProgress()
