import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pause } from '../clients.ts'

type Options = { cwd?: string; input?: Buffer }

/** Runs a program and returns what it prints; throws its messages where it fails. */
export function run(program: string, words: string[], { cwd, input }: Options = {}) {
  // Timers of health checks are units of systemd, which does not run everywhere: `podman healthcheck run` calls them here.
  const env = { ...process.env, ...(existsSync('/run/systemd/system') ? {} : { DISABLE_HC_SYSTEMD: 'true' }) }
  const given = { env, maxBuffer: 1 << 28, ...(cwd ? { cwd } : {}), ...(input ? { input } : {}) }
  const { status, stdout, stderr, error } = spawnSync(program, words, given)
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} (${status}): ${String(stderr)}${String(stdout)}`)
  return stdout
}

export const podman = (words: string[], input?: Buffer) => run('podman', words, input ? { input } : {})

export const readText = (words: string[]) => String(podman(words)).trim()

/** Builds the image of a tree of the product, as docs/operations.md does. */
export function buildImage(tree: string, image: string) {
  const startedAt = performance.now()
  podman(['build', '--network', 'host', '--build-context', `company=${tree}/company`, '--tag', image, tree])
  return {
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    megabytes: Math.round(Number(readText(['inspect', '--format', '{{.Size}}', image])) / 1e6),
  }
}

const services = ['database', 'valkey', 'app', 'proxy'] as const
type Service = (typeof services)[number]

export type Project = ReturnType<typeof createProject>

/** An installation in `folder` with compose.yaml and a filled .env; the folder's name is the project's. */
export function createProject(folder: string, settings: Record<string, string>) {
  const project = folder.split('/').at(-1) ?? ''
  mkdirSync(folder)
  for (const name of ['compose.yaml', 'deploy']) cpSync(name, join(folder, name), { recursive: true })
  const environment = join(folder, '.env')
  writeFileSync(environment, readFileSync('.env.example'), { mode: 0o600 })
  const nameOf = (service: Service) => `${project}_${service}_1`

  /** Debian 12's podman-compose ends with 0 whatever podman did, and prints its exit codes; containers that exist fail and are started. */
  function compose(words: string[], input?: Buffer) {
    const output = String(run('podman-compose', words, { cwd: folder, ...(input ? { input } : {}) }))
    const [, code = '0'] = [...output.matchAll(/^exit code: (\d+)$/gm)].at(-1) ?? []
    if (code !== '0') throw new Error(`podman-compose ${words.join(' ')}: ${output}`)
    return output
  }

  const installation = {
    nameOf,
    compose,
    set(changed: Record<string, string>) {
      let text = readFileSync(environment, 'utf8')
      for (const [name, value] of Object.entries(changed))
        text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`)
      writeFileSync(environment, text)
    },
    exec: (service: Service, command: string[]) => readText(['exec', nameOf(service), ...command]),
    query: (statement: string, database = 'guichet') =>
      readText(['exec', nameOf('database'), 'psql', '-U', 'guichet', '-d', database, '-At', '-c', statement]),
    /** What Debian's podman-restart.service does before and after a reboot. */
    stopAll: () => podman(['stop', ...services.toReversed().map(nameOf)]),
    startAll: () =>
      podman(['start', '--all', '--filter', 'restart-policy=always', '--filter', `label=io.podman.compose.project=${project}`]),
    /** Waits for the health check of each service; returns the milliseconds until the last. */
    async untilHealthy() {
      const startedAt = performance.now()
      for (const service of services) {
        while (!isHealthy(nameOf(service))) {
          if (performance.now() - startedAt > 120_000) {
            throw new Error(`${service} is not healthy: ${String(podman(['logs', '--tail', '40', nameOf(service)]))}`)
          }
          await pause(100)
        }
      }
      return Math.round(performance.now() - startedAt)
    },
    remove() {
      const containers = readText(['ps', '--all', '--quiet', '--filter', `label=io.podman.compose.project=${project}`])
      if (containers) podman(['rm', '--force', '--time', '0', '--volumes', ...containers.split('\n')])
      // podman-compose gives some of them no label.
      const volumes = readText(['volume', 'ls', '--quiet', '--filter', `name=^${project}_`])
      if (volumes) podman(['volume', 'rm', '--force', ...volumes.split('\n')])
      for (const network of ['inside', 'outside']) podman(['network', 'rm', '--force', `${project}_${network}`])
    },
  }
  installation.set(settings)
  return installation
}

function isHealthy(container: string) {
  try {
    podman(['healthcheck', 'run', container])
    return true
  } catch {
    return false
  }
}
