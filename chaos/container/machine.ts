import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClient } from '../../src/app/testing/test-client.ts'
import { freePort } from '../../src/server/testing/free-port.ts'
import { pause } from '../clients.ts'
import { addMigration, commitVersion } from '../installation.ts'
import type { Row } from '../row.ts'
import { checkRights, sendForm } from './checks.ts'
import { podman, readText, run } from './podman.ts'
import type { Report } from './report.ts'
import { createReport } from './report.ts'

export const machine: Row = {
  name: 'machine',
  fault:
    'a bare Debian under its own systemd, installed as docs/operations.md says: the sandbox of the unit, a stop, a restart, a kill, an update, and one to a version that does not start; as root, with podman (docs/operations.md#what-was-tested)',
  async run() {
    const { report, result } = createReport()
    const folder = mkdtempSync(join(tmpdir(), 'guichet-machine-'))
    const origin = join(folder, 'origin')
    try {
      run(join(import.meta.dirname, 'base-images.sh'), [])
      run('git', ['clone', '--quiet', process.cwd(), origin])
      const host = await startMachine(folder.split('/').at(-1) ?? '', origin)
      try {
        const password = await install(host, report)
        await stopAndStart(host, report)
        await update(host, origin, report)
        await checkStored(host, password, report)
      } catch (error) {
        report('ended', `${String(error)}\n${host.shell('journalctl -u guichet -n 40 --no-pager')}`, false)
      } finally {
        host.remove()
      }
    } catch (error) {
      report('ended', String(error), false)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    return result()
  },
}

type Host = Awaited<ReturnType<typeof startMachine>>

async function startMachine(name: string, origin: string) {
  const port = await freePort()
  podman([
    ...['run', '--detach', '--name', name, '--privileged', '--systemd=always', '--publish', `127.0.0.1:${port}:3000`],
    ...['--volume', `${origin}:/srv/origin:ro`, 'localhost/guichet-machine'],
  ])
  const address = `http://127.0.0.1:${port}`
  const shell = (commands: string) => readText(['exec', name, 'bash', '-euc', commands])
  return {
    address,
    shell,
    show: (property: string) => shell(`systemctl show --value --property=${property} guichet`),
    installed: () => shell('git -C /opt/guichet rev-parse HEAD'),
    async untilBooted() {
      // Before the bus is there the state is empty.
      for (const startedAt = performance.now(); ; await pause(100)) {
        const state = shell('systemctl is-system-running 2>/dev/null || true')
        if (state === 'running' || state === 'degraded' || performance.now() - startedAt > 60_000) return state
      }
    },
    /** Milliseconds until the product is ready. */
    async untilReady() {
      const startedAt = performance.now()
      const isReady = async () => {
        try {
          return (await fetch(`${address}/readyz`)).ok
        } catch {
          return false
        }
      }
      while (!(await isReady())) {
        if (performance.now() - startedAt > 60_000) throw new Error('not ready within a minute')
        await pause(50)
      }
      return Math.round(performance.now() - startedAt)
    },
    remove: () => podman(['rm', '--force', '--time', '0', '--volumes', name]),
  }
}

/** The commands of an installation; the packages of its first line are in the image, and the address is that of the clone. */
function readInstallCommands() {
  const [, block = ''] =
    /### On a bare machine with systemd[\s\S]+?```sh\n([\s\S]+?)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const [packages, ...commands] = block.split('\n')
  if (packages !== 'apt install git npm curl') throw new Error(`docs/operations.md installs other packages: ${packages}`)
  return commands
    .map((command) =>
      command.startsWith('cp deploy/guichet.service')
        ? `printf 'HOST=0.0.0.0\\nTRUST_PROXY=1\\n' >> /etc/guichet/env\n${command}`
        : command.replace('ADDRESS', '/srv/origin'),
    )
    .join('\n')
}

async function install(host: Host, report: Report) {
  const state = await host.untilBooted()
  report('systemd', `${host.shell('systemctl --version | head -1')}, ${state}`, state === 'running')
  const startedAt = performance.now()
  const password = host.shell(readInstallCommands()).split('\n').at(-1) ?? ''
  report('installed, first password (s)', Math.round((performance.now() - startedAt) / 1_000), password.length >= 12)
  await host.untilReady()
  const unit = `${host.show('ActiveState')}, ${host.show('UnitFileState')}, ${host.show('NRestarts')} restarts`
  report('unit', unit, unit === 'active, enabled, 0 restarts')
  for (const path of ['/', '/?lang=en']) {
    const { status, text } = await createTestClient(host.address).get(path)
    report(path, status, status === 200 && text.includes('<h1'))
  }
  checkSandbox(host, report)
  const log = host.shell('journalctl -u guichet --no-pager -o cat')
  const isLogged = log.includes('Guichet is running at') && !log.includes(password)
  report('journal', `${log.split('\n').length} lines`, isLogged)
  report('a form', await sendForm(host.address))
  return password
}

async function stopAndStart(host: Host, report: Report) {
  const startedAt = performance.now()
  host.shell('systemctl stop guichet')
  const lasted = Math.round(performance.now() - startedAt)
  report('stop (ms), result', `${lasted}, ${host.show('Result')}`, lasted < 10_000 && host.show('Result') === 'success')
  host.shell('systemctl start guichet')
  report('start until ready (ms)', await host.untilReady())
  host.shell('systemctl restart guichet')
  report('restart until ready (ms)', await host.untilReady())
  host.shell('systemctl kill --signal=KILL --kill-who=main guichet')
  const killedAt = performance.now()
  while (host.show('NRestarts') !== '1' && performance.now() - killedAt < 30_000) await pause(50)
  await host.untilReady()
  report('killed, ready again (ms)', Math.round(performance.now() - killedAt), host.show('NRestarts') === '1')
}

async function update(host: Host, origin: string, report: Report) {
  commitVersion(origin, host.installed(), '1.0.1', (tree) =>
    addMigration(tree, 'ALTER TABLE "requests" ADD COLUMN "added" text;'),
  )
  await updateTo(host, '1.0.1', true, report)
  report('a form', await sendForm(host.address))
  commitVersion(origin, host.installed(), '1.0.2', (tree) => {
    const main = join(tree, 'src/main.ts')
    writeFileSync(main, `if (process.env.GUICHET_TRIAL !== '1') process.exit(1)\n${readFileSync(main, 'utf8')}`)
  })
  await updateTo(host, '1.0.2', false, report)
}

async function updateTo(host: Host, version: string, isExpected: boolean, report: Report) {
  const startedAt = performance.now()
  const before = host.installed()
  const output = host.shell(
    `cd /opt/guichet && export ENV_FILE=/etc/guichet/env DATA_DIR=/var/lib/guichet && npm run update -- ${version} 2>&1 || echo "ended with $?"`,
  )
  report(`update to ${version} (s)`, Math.round((performance.now() - startedAt) / 1_000))
  const isChanged = host.installed() !== before
  report('said', output.split('\n').slice(-3).join(' / '), isChanged === isExpected)
  await host.untilReady()
  report('unit', host.show('ActiveState'), host.show('ActiveState') === 'active')
}

async function checkStored(host: Host, password: string, report: Report) {
  const client = await createTestClient(host.address).arrive()
  const { status } = await client.post('/api/auth/login', { username: 'admin', password })
  report('sign-in with the first password', status, status === 200)
  const { text } = await client.get('/api/requests/requests/export.csv')
  const stored = new Set(text.match(/CT-\d{4}-\d{6}/g)).size
  report('forms stored', `${stored} of 2`, stored === 2)
}

/** What the kernel says of the process, and what its mounts let it write. */
function checkSandbox({ shell, show }: Host, report: Report) {
  const pid = show('MainPID')
  checkRights(shell(`cat /proc/${pid}/status`), report, { Seccomp: '2' })
  const mounts = shell(`cat /proc/${pid}/mountinfo`).split('\n')
  const isWritable = (path: string) =>
    mounts
      .findLast((line) => line.split(' ')[4] === path)
      ?.split(' ')[5]
      ?.startsWith('rw') ?? false
  const writable = ['/', '/etc', '/opt/guichet', '/var/lib/guichet', '/var/cache/guichet', '/tmp'].filter(isWritable)
  report('writable mounts', writable.join(' '), writable.join(' ') === '/var/lib/guichet /var/cache/guichet /tmp')
  const warnings = shell(
    "journalctl -b --no-pager -o cat _PID=1 UNIT=guichet.service | grep -iE 'ignoring|fail|unknown|not supported' || true",
  )
  report('warnings of systemd', warnings || 'none', warnings === '')
}
