import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, becomeAvailable, openTechnician, openVisitor, pause, startConversation } from '../chaos/clients.ts'
import type { Product } from '../e2e/product.ts'
import { administrator } from '../e2e/product.ts'
import type { TestClient } from '../src/app/testing/test-client.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { Release } from './releases.ts'

export type Figures = Record<string, number>

/** Most of each figure; an erasure, a deletion and what is no duration have limits of their own. */
const limits: [RegExp, number][] = [
  [/^first start|^stop$|^longest write|^data folder|^MB|MB$|restore/, Number.POSITIVE_INFINITY],
  [/^start$/, 1_000],
  [/rows a second/, 50_000],
  [/^verification of/, Number.POSITIVE_INFINITY],
  [/^erasure/, 1_000],
  [/^(deletion|audit log|chats, open one|verification, continued|requests, (newest|by name|page))/, 100],
  [/^status page, KB/, 150],
  [/^status page/, 200],
  [/changed element, KB/, 2],
]

/** The embedded database writes its own copy while it serves. */
const embeddedBackupRows = 10_000

/** A figure within its limit is good; backups are measured by their speed. */
export function verdictOf(name: string, values: readonly number[], isEmbedded: boolean) {
  const isBackup = isEmbedded && name === 'backup, rows a second'
  const limit = isBackup ? embeddedBackupRows : (limits.find(([pattern]) => pattern.test(name))?.[1] ?? 300)
  if (limit === Number.POSITIVE_INFINITY) return ''
  const isGood = name.endsWith('a second') ? (value: number) => value >= limit : (value: number) => value <= limit
  return values.every(isGood) ? 'good' : `wanted: ${limit}`
}

const runs = 5
/** One read may not hold up the whole bench. */
const longestMs = 60_000
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** As many words as a search takes, each of them in half of the requests. */
const manyWords =
  'bonjour imprimante réseau fibre téléphonie courriel mot passe routeur panne lente serveur écran sauvegarde licence facture technicien merci demain québec'

const reads: Record<string, string> = {
  'home page': '/',
  'status page': '/reseau',
  'notices, API': '/api/notes/notes',
  'requests, newest': '/api/requests/requests',
  'requests, by name': '/api/requests/requests?sort=name',
  'requests, page 100': '/api/requests/requests?page=100',
  'requests, page 10^9': '/api/requests/requests?page=1000000000',
  'requests, a common word': '/api/requests/requests?search=imprimante',
  'requests, a rare word': '/api/requests/requests?search=G-17',
  'requests, an absent word': '/api/requests/requests?search=zzzabsent',
  'requests, one letter': '/api/requests/requests?search=e',
  'requests, two letters': '/api/requests/requests?search=zq',
  'requests, 200 letters': `/api/requests/requests?search=${encodeURIComponent(manyWords)}`,
  'requests, %_\\': '/api/requests/requests?search=%25_%5C',
  'requests, an emoji': '/api/requests/requests?search=%F0%9F%98%80',
  'palette, a common word': '/api/palette?q=imprimante',
  'palette, an absent word': '/api/palette?q=zzzabsent',
  'palette, one letter': '/api/palette?q=e',
  'palette, two letters': '/api/palette?q=zq',
  'palette, 200 letters': `/api/palette?q=${encodeURIComponent(manyWords)}`,
  'palette, %_\\': '/api/palette?q=%25_%5C',
  'palette, an emoji': '/api/palette?q=%F0%9F%98%80',
  'audit log, newest': '/api/audit/entries',
  'audit log, page 200': '/api/audit/entries?page=200',
  'audit log, a name': '/api/audit/entries?who=nicien%207',
  'audit log, an absent name': '/api/audit/entries?who=zzzabsent',
  'audit log, a year': `/api/audit/entries?from=${day(800)}&to=${day(435)}`,
  'reports of a year': `/api/chat/figures?from=${day(364)}&to=${day(0)}`,
  'reports of five years': `/api/chat/figures?from=${day(1_820)}&to=${day(0)}`,
}

const chatReads: Record<string, { scope: 'open' | 'all'; search: string }> = {
  'chats, open': { scope: 'open', search: '' },
  'chats, all': { scope: 'all', search: '' },
  'chats, a common word': { scope: 'all', search: 'imprimante' },
  'chats, a rare word': { scope: 'all', search: 'ornithorynque' },
  'chats, an absent word': { scope: 'all', search: 'zzzabsent' },
  'chats, one letter': { scope: 'all', search: 'e' },
  'chats, two letters': { scope: 'all', search: 'zq' },
  'chats, 200 letters': { scope: 'all', search: manyWords },
  'chats, %_\\': { scope: 'all', search: '%_\\' },
  'chats, an emoji': { scope: 'all', search: '😀' },
  'open chats, an absent word': { scope: 'open', search: 'zzzabsent' },
}

/** Runs a piece of work until it ends; `during` is what others wait for meanwhile. */
export type Work = { name: string; run: () => Promise<unknown>; most?: number }
const mostWorkMs = 300_000

async function signIn(origin: string, number: number) {
  const client = await createTestClient(origin).arrive()
  const { status, text } = await client.post('/api/auth/login', administrator, {
    headers: { 'x-forwarded-for': addressOf(number) },
  })
  if (status !== 200) throw new Error(`sign-in refused: ${text}`)
  return client
}

/** Reads, searches and single writes of a running product, in milliseconds; the median of five. Not a number: refused. */
export async function measureReads(product: Product, progress: (text: string) => void): Promise<Figures> {
  const origin = product.address()
  const client = await signIn(origin, 1)
  const found: Figures = {}
  for (const [name, path] of Object.entries(reads)) {
    progress(name)
    found[name] = await timeMedian(async () => (await client.get(path, { headers: { 'accept-encoding': 'br' } })).status < 500)
  }
  progress('chats')
  const technician = await openTechnician(origin, administrator, 2)
  for (const [name, input] of Object.entries(chatReads))
    found[name] = await timeMedian(async () => (await technician.timeout(longestMs).emitWithAck('staff:chats', input)).ok)
  found['chats, open one'] = await timeMedian(
    async () => (await technician.timeout(longestMs).emitWithAck('staff:open', { id: 17 })).ok,
  )
  technician.close()

  progress('a person')
  const address = 'erased@example.com'
  found['search of a person'] = await timeMedian(
    async () => (await client.post('/api/privacy/search', { email: address })).status === 200,
  )
  found['erasure of 100 requests'] = await timeOnce(
    async () => (await client.post('/api/privacy/erase', { email: address })).status === 200,
  )
  const users = (await client.get<{ id_user: number; username: string }[]>('/api/users/users')).body
  const deleted = users.filter(({ username }) => username.startsWith('growth-')).map(({ id_user }) => id_user)
  found['deletion of a user'] = await timeMedian(
    async () => (await client.delete(`/api/users/users/${deleted.pop()}`)).status === 204,
  )
  progress('verification')
  const verify = (query: string) => async () => {
    const { status, body } = await client.get<{ broken_at: number | null }>(`/api/audit/verification${query}`)
    return status === 200 && body.broken_at === null
  }
  found['verification of the audit log'] = await timeOnce(verify(''))
  found['verification, continued'] = await timeOnce(verify('?from=last'))
  found['status page, KB gzip'] = await sizeOf(origin, '/reseau')
  found['page of notices, KB gzip'] = await sizeOf(origin, '/api/notes/notes')
  found['a changed element, KB for each page'] = await sizeOfChange(origin, client)
  return found
}

/** What one open status page asks for when one of 3,000 elements changes, in kilobytes; the whole page before. */
async function sizeOfChange(origin: string, client: TestClient) {
  const page = await client.get<{ hashes?: Record<string, string> }>('/api/networks/status_page?lang=fr')
  const known = Object.entries(page.body.hashes ?? {})
    .flat()
    .join('.')
  const [network] = (
    await client.get<{ id_reseau: number; nom: string; status: string; details: string }[]>('/api/networks/reseau')
  ).body
  if (!network) throw new Error('there is no network')
  const details = JSON.parse(network.details) as { statut: string }[]
  if (details[7]) details[7].statut = 'ERROR'
  const { id_reseau: id, nom, status } = network
  await client.put(`/api/networks/reseau/${id}`, { nom, status, details: JSON.stringify(details) })
  await pause(500)
  const paths =
    page.status === 200
      ? [`/api/networks/status_changes?lang=fr&known=${known}`]
      : ['/api/networks/reseau', '/api/notes/notes', '/api/updates/windows', '/api/networks/reseau/status']
  let sum = 0
  // As a browser asks that has its token already.
  const visitor = await createTestClient(origin).arrive()
  const headers = `Accept-Encoding: br\r\nCookie: ${visitor.cookieHeader()}\r\n`
  for (const path of paths) sum += await sizeOf(origin, path, headers)
  return sum
}

async function sizeOf(origin: string, path: string, headers = 'Accept-Encoding: gzip\r\n') {
  const { hostname, port } = new URL(origin)
  return new Promise<number>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let bytes = 0
    socket.on('data', (part) => (bytes += part.length))
    socket.on('end', () => resolve(bytes / 1_000))
    socket.on('error', reject)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${headers}Connection: close\r\n\r\n`)
  })
}

/** What `/healthz`, a form and a message take, in milliseconds, while each piece of work runs. */
export async function measureWaits(product: Product, works: readonly Work[], progress: (text: string) => void) {
  const origin = product.address()
  const technician = await openTechnician(origin, administrator, 3)
  await becomeAvailable(technician)
  const visitor = openVisitor(origin, 4)
  const chat = await startConversation(visitor, 'Growth')
  const client = await createTestClient(origin).arrive()
  let number = 100
  const form = { honey: '', name: 'Ana Côté', email: 'ana@example.com', phone: '418-555-0101', message: 'Bonjour' }
  const acts: Record<string, () => Promise<unknown>> = {
    healthz: () => fetch(`${origin}/healthz`),
    form: () => client.post('/api/mailer/contact', form, { headers: { 'x-forwarded-for': addressOf((number += 1)) } }),
    message: () =>
      visitor
        .timeout(longestMs)
        .emitWithAck('chat:send-message', { id_chat: chat, message: 'Bonjour', client_message_id: crypto.randomUUID() }),
  }
  const rows: Record<string, number | string>[] = []
  for (const { name, run, most = mostWorkMs } of works) {
    progress(`while: ${name}`)
    const state = { isDone: false }
    const start = performance.now()
    let took = Number.NaN
    let result: unknown
    const working = run()
      .then((value) => {
        result = value
        took = (performance.now() - start) / 1_000
      })
      .catch((error: unknown) => progress(`${name}: ${String(error)}`))
    const ended = Promise.race([working, pause(most)]).finally(() => (state.isDone = true))
    const times: Record<string, number[]> = { healthz: [], form: [], message: [] }
    await Promise.all(
      Object.entries(acts).map(async ([act, work]) => {
        while (!state.isDone || (times[act]?.length ?? 0) < (Number.isFinite(took) ? 10 : 1)) {
          const at = performance.now()
          // An earlier release holds some of them up until the work ends.
          const tooLong = pause(longestMs).then(() => false)
          const isGood = await Promise.race([
            work().then(
              () => true,
              () => false,
            ),
            tooLong,
          ])
          times[act]?.push(isGood ? performance.now() - at : Number.NaN)
          await pause(act === 'healthz' ? 20 : 100)
        }
      }),
    )
    await ended
    const row: Record<string, number | string> = { while: name, 'took (s)': took }
    for (const [act, values] of Object.entries(times)) {
      row[`${act} p50`] = percentile(values, 0.5)
      row[`${act} p99`] = percentile(values, 0.99)
      row[`${act} most`] = percentile(values, 1)
    }
    row['rows a second'] = typeof result === 'number' ? result / took : ''
    rows.push(row)
  }
  visitor.close()
  technician.close()
  return rows
}

type WorkPlace = {
  release: Release
  /** Where the backup is left for a restore. */
  archive: string
  environment: Record<string, string>
  retain: (() => Promise<void>) | null
}

/** Searches, reports, exports, a night's deletions and a backup of a running product. */
export function worksOf(product: Product, { release, archive, environment, retain }: WorkPlace): Work[] {
  const origin = product.address()
  const repeat = (count: number, path: string) => async () => {
    const client = await signIn(origin, 5)
    for (let run = 0; run < count; run += 1) await client.get(path)
  }
  const backUp = async () => {
    const given = { ...environment, DATA_DIR: product.dataDir, PORT: new URL(origin).port }
    const { output } = await runScript('backup', [archive], given, release.folder)
    return Number(/([\d,\u00a0 ]+) rows/.exec(output)?.[1]?.replaceAll(/\D/g, '') ?? Number.NaN)
  }
  const works: Work[] = [
    { name: 'nothing', run: () => pause(3_000) },
    { name: 'searches', run: repeat(20, '/api/requests/requests?search=imprimante') },
    { name: 'reports of a year', run: repeat(5, `/api/chat/figures?from=${day(364)}&to=${day(0)}`) },
    { name: 'reports of five years', run: repeat(5, `/api/chat/figures?from=${day(1_820)}&to=${day(0)}`) },
    { name: 'export of requests', run: repeat(2, '/api/requests/requests/export.csv') },
    { name: 'the status page', run: repeat(20, '/reseau') },
    { name: 'verification', run: repeat(1, '/api/audit/verification') },
    { name: 'backup', run: backUp, most: 1_200_000 },
    ...(retain ? [{ name: 'deletions of a night', run: retain }] : []),
  ]
  // An earlier release takes hours for some of them.
  return release.name === 'before' ? works.map((work) => ({ ...work, most: 60_000 })) : works
}

/** Restores an archive into an empty database and folder. */
export async function measureCopy(
  archive: string,
  environment: Record<string, string>,
  { folder }: Release,
  progress: (text: string) => void,
): Promise<Figures> {
  progress('restore')
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  try {
    const { seconds, peakMb, output } = await runScript('restore', [archive], { ...environment, DATA_DIR: dataDir }, folder)
    const rows = Number(/([\d,\u00a0 ]+) rows/.exec(output)?.[1]?.replaceAll(/\D/g, '') ?? Number.NaN)
    return {
      'restore, rows a second restored': rows / seconds,
      'restore, peak MB': peakMb,
      'archive, MB': statSync(archive).size / 1e6,
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Runs a command of this release; its peak of memory is in megabytes. */
export async function runScript(name: string, words: string[], environment: Record<string, string>, folder = process.cwd()) {
  const start = performance.now()
  // An earlier release has one script for each command.
  const script = join(folder, 'scripts', `${name}.ts`)
  const command = existsSync(script) ? [script] : [join(folder, 'scripts', 'guichet.mjs'), name, '--lang', 'en']
  const child = spawn(process.execPath, [...command, ...words], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'fatal', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  let peak = 0
  const watching = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
    } catch {
      // It has just ended.
    }
  }, 200)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  clearInterval(watching)
  if (code !== 0) throw new Error(`${name} failed (${code}): ${output}${errors}`)
  return { seconds: (performance.now() - start) / 1_000, peakMb: peak, output }
}

async function timeOnce(work: () => Promise<boolean>) {
  const start = performance.now()
  const isGood = await work().catch(() => false)
  return isGood ? performance.now() - start : Number.NaN
}

async function timeMedian(work: () => Promise<boolean>) {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    times.push(await timeOnce(work))
    // Refused, or so slow that once says it.
    if (Number.isNaN(times[0]) || (times[0] ?? 0) > longestMs / 10) return times[0] ?? Number.NaN
  }
  return times.toSorted((one, other) => one - other)[Math.floor(runs / 2)] ?? Number.NaN
}

function percentile(values: readonly number[], part: number) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
