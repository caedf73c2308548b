import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administrator } from '../e2e/product.ts'
import { freePort } from '../src/server/testing/free-port.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { pause } from './clients.ts'
import { mount, unmount } from './disk.ts'

export type Installation = Awaited<ReturnType<typeof createInstallation>>

/** The product as a git clone beside its origin, with its own build and data, run by two scripts; `diskMb`: on a disk of its own. */
export async function createInstallation(environment: Record<string, string> = {}, diskMb = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-update-'))
  if (diskMb > 0) mount(folder, diskMb)
  const [origin, root, dataDir] = ['origin', 'guichet', 'data'].map((name) => join(folder, name)) as [string, string, string]
  execFileSync('git', ['clone', '--quiet', process.cwd(), origin])
  execFileSync('git', ['clone', '--quiet', origin, root])
  execFileSync('cp', [diskMb > 0 ? '-a' : '-al', join(process.cwd(), 'node_modules'), join(root, 'node_modules')])
  execFileSync('cp', ['-a', join(process.cwd(), 'build'), join(root, 'build')])
  mkdirSync(dataDir, { mode: 0o700 })
  const port = await freePort()
  const { NODE_OPTIONS: _options, ...own } = process.env
  const env = {
    ...own,
    LANG: 'en_CA.UTF-8',
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUST_PROXY: '1',
    DEMO: '1',
    ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: 'warn',
    ...environment,
  }
  const [pid, log] = [join(folder, 'pid'), join(folder, 'product.log')]
  const script = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\n${text}\n`)
    chmodSync(file, 0o755)
    return file
  }
  const start = script(
    'start.sh',
    `cd ${root} && setsid node_modules/.bin/node build/server/main.js >>${log} 2>&1 </dev/null & echo $! >${pid}`,
  )
  const stop = script(
    'stop.sh',
    `[ -f ${pid} ] || exit 0; kill $(cat ${pid}) 2>/dev/null; while kill -0 $(cat ${pid}) 2>/dev/null; do sleep 0.05; done`,
  )
  const run = (file: string) => execFileSync('sh', [file], { env, stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`

  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const installed = () => execFileSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()

  return {
    folder,
    root,
    origin,
    dataDir,
    address,
    env,
    journal: join(folder, 'guichet-update/journal.json'),
    start: () => run(start),
    stop: () => run(stop),
    version: () => (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
    /** Runs `guichet update` in processes of its own. */
    update(words: string[] = []) {
      const given = [join(root, 'scripts/guichet.mjs'), 'update', ...words, '--stop', stop, '--start', start]
      const child = spawn(process.execPath, given, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      return { pid: child.pid ?? 0, ended, output: () => output }
    },
    /** A new version of the origin, on top of the installed one. */
    release: (version: string, change: (folder: string) => void) => commitVersion(origin, installed(), version, change),
    isReady,
    isRunning: () => existsSync(`/proc/${readFileSync(pid, 'utf8').trim()}`),
    async untilReady() {
      while (!(await isReady())) await pause(50)
    },
    remove() {
      run(stop)
      if (diskMb > 0) unmount(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Commits a version to a clone, on top of another commit: its number, and what `change` does in its folder. */
export function commitVersion(clone: string, parent: string, version: string, change: (folder: string) => void) {
  execFileSync('git', ['-C', clone, 'checkout', '--quiet', '--detach', parent])
  const file = join(clone, 'package.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": "[^"]+"/, `"version": "${version}"`))
  change(clone)
  const author = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com']
  execFileSync('git', ['-C', clone, 'add', '--all'])
  execFileSync('git', ['-C', clone, ...author, 'commit', '--quiet', '--message', version])
  execFileSync('git', ['-C', clone, 'tag', `v${version}`])
}

type JournalFile = { entries: { idx: number; when: number; tag: string }[] }

/** Adds a migration to a folder of the product. */
export function addMigration(folder: string, statement: string) {
  const file = join(folder, 'migrations/meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as JournalFile
  const last = journal.entries.at(-1)
  if (!last) throw new Error('there are no migrations')
  const tag = `${String(last.idx + 1).padStart(4, '0')}_added`
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(join(folder, 'migrations', `${tag}.sql`), `${statement}\n`)
}

/** Sends forms all the time, as customers do; `references` are those that were acknowledged. */
export function sendForms(address: string) {
  const references: string[] = []
  const outcome = { isOver: false, refused: 0 }
  const work = async () => {
    for (let number = 0; !outcome.isOver; number += 1) {
      try {
        const client = await createTestClient(address).arrive()
        const form = { honey: '', name: `Ana ${number}`, email: 'ana@example.com', phone: '418-555-0101', message: 'Bonjour' }
        const headers = { 'x-forwarded-for': `198.18.${Math.floor(number / 250) % 250}.${number % 250}` }
        const { status, body } = await client.post<{ reference?: string }>('/api/mailer/contact', form, { headers })
        if (status === 200 && body.reference) references.push(body.reference)
        else outcome.refused += 1
      } catch {
        outcome.refused += 1
      }
      await pause(100)
    }
  }
  const working = work()
  return {
    references,
    outcome,
    stop: async () => {
      outcome.isOver = true
      await working
    },
  }
}

/** Which of these forms the product does not have. */
export async function findAbsent(address: string, references: readonly string[]) {
  const client = await createTestClient(address).arrive()
  await client.post('/api/auth/login', administrator)
  const { text } = await client.get('/api/requests/requests/export.csv')
  const stored = new Set(text.match(/CT-\d{4}-\d{6}/g))
  return references.filter((reference) => !stored.has(reference))
}

/** A process and all that it started, also in groups of their own. */
export function killTree(pid: number) {
  const children = new Map<number, number[]>()
  for (const line of execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    children.set(parent, [...(children.get(parent) ?? []), child])
  }
  const all: number[] = []
  const add = (one: number) => {
    all.push(one)
    for (const child of children.get(one) ?? []) add(child)
  }
  add(pid)
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

export const readPhase = (file: string) =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { phase: string }).phase : 'none'
