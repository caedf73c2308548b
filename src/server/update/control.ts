import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ownAddress } from '../config.ts'
import { isFolderLocked } from '../database/folder-lock.ts'
import { LocalizedError } from '../localized-error.ts'
import type { Control, Release } from './journal.ts'
import type { Places } from './places.ts'
import type { Owner } from './processes.ts'
import { startProduct } from './trial.ts'
import { askVersion } from './running-version.ts'

const stopLimitMs = 60_000
const askLimitMs = 5_000
/** systemd starts it again and again: it does not start. */
const mostRestarts = 3

type Site = { config: Config; places: Places; owner: Owner; environment: NodeJS.ProcessEnv }

/** Stops and starts the product the way it is run on this machine. */
export function createControl(control: Control, site: Site) {
  const { config, places } = site
  let own: ReturnType<typeof startProduct> | null = null

  const isRunning = async () => {
    if (!config.databaseUrl) return isFolderLocked(places.database)
    return fetch(`${ownAddress(config)}/healthz`, { signal: AbortSignal.timeout(askLimitMs) }).then(
      () => true,
      () => false,
    )
  }

  return {
    isRunning,
    async stop() {
      if (control.kind === 'systemd') callSystemd('stop', control.unit)
      else if (control.kind === 'commands' && (await isRunning())) await runShell(control.stop)
      else own?.stop('SIGTERM')
      own = null
      const startedAt = performance.now()
      while (await isRunning()) {
        if (performance.now() - startedAt > stopLimitMs) throw notStopped()
        await pause(50)
      }
    },
    async start() {
      if (control.kind === 'systemd') {
        // What it failed before counts no more.
        spawnSync('systemctl', ['reset-failed', control.unit])
        callSystemd('start', control.unit)
      } else if (control.kind === 'commands') await runShell(control.start)
      else own = startProduct(places.root, site)
    },
    async waitUntilReady(wanted: Release, limitMs: number) {
      const startedAt = performance.now()
      for (;;) {
        try {
          const found = await askVersion(config, AbortSignal.timeout(askLimitMs))
          // A version that no update built has no commit.
          if (found.version === wanted.version && (found.commit ?? wanted.commit) === wanted.commit) return
          throw new Error(`version ${found.version}, ${found.commit}`)
        } catch (error) {
          const failure = findFailure()
          if (failure || performance.now() - startedAt > limitMs) throw notReady(wanted, limitMs, failure ?? error)
        }
        await pause(100)
      }
    },
  }

  function findFailure() {
    if (own?.hasEnded()) return new Error(own.output().trim().split('\n').slice(-3).join('\n'))
    if (control.kind !== 'systemd') return null
    const { ActiveState, NRestarts } = showUnit(control.unit, ['ActiveState', 'NRestarts'])
    if (ActiveState !== 'failed' && Number(NRestarts ?? 0) < mostRestarts) return null
    return new Error(`systemctl status ${control.unit}: ${ActiveState}, journalctl -u ${control.unit} -n 50`)
  }
}

function callSystemd(word: 'start' | 'stop', unit: string) {
  const { status, stderr } = spawnSync('systemctl', [word, unit], { encoding: 'utf8' })
  if (status === 0) return
  throw new LocalizedError({
    fr: `systemctl ${word} ${unit} a échoué : ${stderr.trim()}`,
    en: `systemctl ${word} ${unit} failed: ${stderr.trim()}`,
  })
}

/** Properties of a unit; an empty object where no systemd runs. */
export function showUnit(unit: string, names: string[]): Record<string, string | undefined> {
  const { status, stdout } = spawnSync('systemctl', ['show', `--property=${names.join(',')}`, unit], { encoding: 'utf8' })
  if (status !== 0) return {}
  const lines = stdout.trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** Output goes where the product's belongs: what a command starts in the background would keep a pipe open. */
function runShell(command: string) {
  const child = spawn('sh', ['-c', command], { cwd: '/', stdio: 'ignore' })
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) return resolve()
      reject(new LocalizedError({ fr: `« ${command} » a échoué (${code}).`, en: `“${command}” failed (${code}).` }))
    })
  })
}

const notStopped = () =>
  new LocalizedError({
    fr: `Le produit ne s’est pas arrêté en ${stopLimitMs / 1_000} s.`,
    en: `The product did not stop within ${stopLimitMs / 1_000} s.`,
  })

function notReady({ version }: Release, limitMs: number, cause: unknown) {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const seconds = Math.round(limitMs / 1_000)
  return new LocalizedError(
    {
      fr: `la version ${version} n’est pas prête (${reason}) dans le temps prévu de ${seconds} s.`,
      en: `version ${version} is not ready (${reason}) within its ${seconds} s.`,
    },
    'refused',
    { cause },
  )
}
