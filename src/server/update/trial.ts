import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { LocalizedError } from '../localized-error.ts'
import type { Owner } from './processes.ts'
import { findNode, startTied } from './processes.ts'
import { askVersion } from './running-version.ts'
import type { Release } from './journal.ts'

/** Settings that a trial must not have: with them it would reach other servers, people or their data. */
const outwards = new Set([
  'SMTP_URL',
  'IMAP_URL',
  'REDIS_URL',
  'STATUS_COPY',
  'RECORDINGS_WATCH',
  'RECORDINGS_S3_URL',
  'FILES_URL',
  'INDEXNOW_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PUBLIC_URL',
  'API_URL',
  'CHAT_URL',
  'ADMIN_PASSWORD',
])
const pages = ['/', '/reseau', '/emploi', '/team', '/admin/login', '/api/networks/reseau']

type Site = { config: Config; owner: Owner; environment: NodeJS.ProcessEnv }

/** Starts the product of a folder as a child that ends with this process. */
export function startProduct(folder: string, { owner, environment, config }: Site, own: NodeJS.ProcessEnv = {}) {
  const { GUICHET_COMMAND: _command, GUICHET_FOLDER: _folder, NODE_COMPILE_CACHE: _cache, ...env } = environment
  return startTied(
    findNode(folder),
    {
      module: pathToFileURL(join(folder, 'build/server/main.js')).href,
      execArgv: ['--max-semi-space-size=8'],
    },
    { ...owner, cwd: folder, env: { ...env, DATA_DIR: config.dataDir, NODE_ENV: 'production', ...own } },
  )
}

type Trial = Site & { folder: string; release: Release; limitMs: number; secret: string; signal: AbortSignal }

/**
 * Starts a version where nobody but this process reaches it, and where it reaches nobody; waits until it is ready, and asks for
 * pages. Returns how long it took to be ready.
 */
export async function tryProduct({ folder, release, limitMs, secret, signal, ...site }: Trial): Promise<number> {
  const environment = Object.fromEntries(Object.entries(site.environment).filter(([name]) => !outwards.has(name)))
  const own = { PORT: '0', HOST: '127.0.0.1', SESSION_SECRET: secret, DEMO: '0', LOG_LEVEL: 'warn', GUICHET_TRIAL: '1' }
  const product = startProduct(folder, { ...site, environment }, own)
  const startedAt = performance.now()
  const isLate = () => performance.now() - startedAt > limitMs
  const fail = (reason = '') => {
    const ending = findLastWords(product.output())
    return new LocalizedError({
      fr: `la version ${release.version} ne démarre pas avec ces données : ${reason}${ending.fr}`,
      en: `version ${release.version} does not start with this data: ${reason}${ending.en}`,
    })
  }
  const late = `${Math.round(limitMs / 1_000)} s. `
  try {
    let address: string | undefined
    while (!address) {
      signal.throwIfAborted()
      if (product.hasEnded()) throw fail()
      if (isLate()) throw fail(late)
      address = /Guichet is running at (http:\S+)/.exec(product.output())?.[1]
      if (!address) await pause(50)
    }
    const reached = { ...site.config, secret, host: '127.0.0.1', port: Number(new URL(address).port) }
    for (;;) {
      signal.throwIfAborted()
      try {
        const found = await askVersion(reached, AbortSignal.timeout(5_000))
        if (found.version !== release.version || found.commit !== release.commit)
          throw new Error(`version ${found.version}, ${found.commit}`)
        break
      } catch (error) {
        if (product.hasEnded() || isLate()) throw fail(`${error instanceof Error ? error.message : String(error)} `)
      }
      await pause(100)
    }
    const readyMs = performance.now() - startedAt
    for (const page of pages) {
      const response = await fetch(address + page, { signal: AbortSignal.timeout(30_000) })
      await response.arrayBuffer()
      if (!response.ok) throw fail(`${page}: ${response.status}. `)
    }
    return readyMs
  } finally {
    product.stop('SIGTERM')
    const kill = setTimeout(() => product.stop('SIGKILL'), 15_000)
    await product.ended.finally(() => clearTimeout(kill))
  }
}

/** A failed start prints the reason in French, then in English; its log is JSON. */
function findLastWords(output: string) {
  const lines = output.split('\n').filter((line) => line.trim() && !line.startsWith('{'))
  const [fr = '', en = fr] = lines.length > 0 ? lines.slice(-2) : ['rien n’est dit.', 'nothing is reported.']
  return { fr, en }
}
