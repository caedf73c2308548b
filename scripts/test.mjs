// `npm test` and `npm run check`: installs what the tests need, runs everything and prints a one-line summary.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { fail, findNode, install, root } from './setup.mjs'

const fast = process.argv.includes('--check')
/** A runner that hangs would otherwise never say which test it hangs in. */
const longestMs = 45 * 60_000
const reports = mkdtempSync(join(tmpdir(), 'guichet-reports-'))
const totals = { passed: 0, failed: 0 }

install()
ensurePrograms()
const node = findNode()
const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  NO_COLOR: '1',
  FORCE_COLOR: '0',
}

check('types: pages', ['react-router', 'typegen'])
check('types', ['tsc', '--noEmit'])
check('lint', ['oxlint', '--type-aware'])
check('format', ['oxfmt', '--check', '.'])
check('unused code', ['knip'])
check('import rules', ['depcruise', 'src', 'company', '--config', '.dependency-cruiser.cjs'])

if (fast) {
  vitest('unit tests', ['--project', 'unit'])
} else {
  vitest('unit, API and socket tests', [])
  step('build', () => {
    buildIfStale(node)
    return { passed: 1, failed: 0 }
  })
  step('end-to-end tests', endToEnd)
}

rmSync(reports, { recursive: true, force: true })
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 ? 1 : 0)

/** A check with one result. */
function check(name, [tool, ...parameters]) {
  step(name, () => {
    const done = run(join(root, 'node_modules', '.bin', tool), parameters, 'pipe')
    const good = done.status === 0
    if (!good) console.log(`${done.stdout}\n${done.stderr}`)
    return { passed: good ? 1 : 0, failed: good ? 0 : 1 }
  })
}

function vitest(name, parameters) {
  step(name, () => {
    const file = join(reports, 'vitest.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const done = run(join(root, 'node_modules', '.bin', 'vitest'), ['run', ...parameters, ...reporters], 'inherit')
    if (!existsSync(file)) return { passed: 0, failed: 1 }
    const report = JSON.parse(readFileSync(file, 'utf8'))
    const failed =
      report.numFailedTests +
      report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0).length
    return { passed: report.numPassedTests, failed: Math.max(failed, done.status === 0 ? 0 : 1) }
  })
}

function endToEnd() {
  const file = join(reports, 'playwright.json')
  environment.PLAYWRIGHT_JSON_OUTPUT_FILE = file
  const done = run(join(root, 'node_modules', '.bin', 'playwright'), ['test', '--reporter=list,json'], 'inherit')
  if (!existsSync(file)) return { passed: 0, failed: 1 }
  const { stats } = JSON.parse(readFileSync(file, 'utf8'))
  if (stats.skipped > 0) console.log(`${stats.skipped} left out: what they run in is not installed.`)
  // A flaky test counts as failed.
  const failed = stats.unexpected + stats.flaky
  return { passed: stats.expected, failed: Math.max(failed, done.status === 0 ? 0 : 1) }
}

function ensurePrograms() {
  const missing = [
    spawnSync('ffmpeg', ['-version']).error && 'ffmpeg',
    !fast && !existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell') && 'chromium-headless-shell',
    !fast && spawnSync('redis-server', ['--version']).error && 'redis-server',
    !fast && spawnSync('dovecot', ['--version']).error && 'dovecot-imapd',
    // For the HTML checker.
    !fast && spawnSync('java', ['-version']).error && 'default-jre-headless',
    ...missingPythonPackages(),
  ].filter(Boolean)
  addServers()
  addBrowsers()
  if (missing.length === 0) return
  console.log(`Installing ${missing.join(' and ')}…`)
  const sudo = process.getuid?.() === 0 ? [] : ['sudo']
  for (const command of [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', ...missing],
  ]) {
    const [program, ...parameters] = [...sudo, ...command]
    const done = spawnSync(program, parameters, { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    if (done.status !== 0)
      fail(
        `${done.stdout ?? ''}\n${done.stderr ?? ''}\nInstall ${missing.join(' and ')} (Chromium may also be named in CHROMIUM).`,
      )
  }
}

/**
 * Where systemd runs, they would start at once and take their ports, and elsewhere their start may fail: their tests run where
 * they are installed.
 */
function addServers() {
  if (fast || existsSync('/run/systemd/system') || process.getuid?.() !== 0) return
  const missing = [
    spawnSync('caddy', ['version']).error && 'caddy',
    spawnSync('nginx', ['-v']).error && 'nginx-light',
    spawnSync('promtool', ['--version']).error && 'prometheus',
    spawnSync('systemd-analyze', ['--version']).error && 'systemd',
  ].filter(Boolean)
  if (missing.length === 0) return
  if (!installPackages(missing)) console.log(`${missing.join(' and ')} could not be installed completely.`)
}

/** For the journeys in the other browsers people have, which are left out where these cannot be installed. */
function addBrowsers() {
  if (fast) return
  const canOpenWindows =
    spawnSync('/usr/bin/python3', [join(root, 'e2e/other-browsers/webkit-window.py'), '--check']).status === 0
  const packages = {
    Firefox: [!existsSync(process.env.FIREFOX ?? '/usr/bin/firefox-esr') && 'firefox-esr'],
    WebKit: [
      spawnSync('WebKitWebDriver', ['--help']).error && 'webkit2gtk-driver',
      spawnSync('Xvfb', ['-help']).error && 'xvfb',
      ...(canOpenWindows ? [] : ['gir1.2-webkit2-4.1', 'python3-gi']),
    ],
  }
  for (const [name, wanted] of Object.entries(packages)) {
    const missing = wanted.filter(Boolean)
    if (missing.length === 0 || (process.getuid?.() === 0 && installPackages(missing))) continue
    console.log(`${missing.join(' and ')} could not be installed: the journeys in ${name} are left out.`)
  }
}

function installPackages(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { env })
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env }).status === 0
}

/** For the chat client in Python, where Python is installed. */
function missingPythonPackages() {
  if (fast) return []
  const programs = ['python3', '/usr/bin/python3'].filter((program) => !spawnSync(program, ['--version']).error)
  const canImport = (program) => spawnSync(program, ['-c', 'import socketio, websocket, requests']).status === 0
  return programs.length === 0 || programs.some(canImport) ? [] : ['python3-socketio', 'python3-websocket', 'python3-requests']
}

function step(name, work) {
  const startedAt = Date.now()
  console.log(`\n== ${name}`)
  const { passed, failed } = work()
  totals.passed += passed
  totals.failed += failed
  console.log(`== ${name}: ${passed} passed, ${failed} failed (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
}

function run(file, parameters, output) {
  // The tools are scripts of the pinned Node, except those that are programs themselves.
  const isScript = readFileSync(file).subarray(0, 2).toString() === '#!'
  const [program, all] = isScript ? [node, [file, ...parameters]] : [file, parameters]
  const done = spawnSync(program, all, {
    cwd: root,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', output, output],
    maxBuffer: 1 << 28,
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  if (done.error) console.log(`${file}: ${done.error.message}`)
  return done
}
