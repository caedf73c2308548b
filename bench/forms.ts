import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { openDatabase } from '#src/server/database/database.ts'
import { startEmbeddedPostgres } from '#src/server/testing/embedded-postgres.ts'
import { addressOf, pause, trusting } from '../chaos/clients.ts'
import type { Product } from '../e2e/product.ts'
import { startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { Release } from './releases.ts'
import { prepareReleases } from './releases.ts'
import { printTable } from './table.ts'

const clients = (process.env.FORMS_CLIENTS ?? '1,8,64').split(',').map(Number)
const turns = Number(process.env.FORMS_TURNS ?? 3)
const seconds = Number(process.env.FORMS_SECONDS ?? 5)
const own = { ...trusting, SESSION_SECRET: 'b'.repeat(64), DEMO: '0' }
const longestMs = 120_000

type Environment = Record<string, string>
/** A running release, and the references that it confirmed. */
type Started = { release: Release; product: Product; environment: Environment; confirmed: string[]; headers: Environment }

/**
 * Valid, distinct service calls and contact messages a second, each stored on the disk with its two mails, which leave meanwhile.
 * `FORMS` names the databases (embedded, postgres), `FORMS_BEFORE` an earlier release that is measured in turns with this one,
 * given as for `growth`. At the end the product is killed under load, and what it confirmed is looked for in its database.
 */
export async function benchForms() {
  const databases = (process.env.FORMS ?? 'embedded,postgres').split(',')
  const { releases, remove } = prepareReleases(process.env.FORMS_BEFORE)
  try {
    for (const name of databases) {
      const server = name === 'postgres' ? await openServer() : null
      try {
        await measureReleases(name, releases, async (release) => server?.createDatabase(`forms_${release.name}`))
      } finally {
        await server?.stop()
      }
    }
  } finally {
    remove()
  }
}

async function openServer() {
  const databaseDir = mkdtempSync(join(tmpdir(), 'guichet-forms-'))
  const { server, origin } = await startEmbeddedPostgres({ databaseDir, persistent: false, database: 'empty' })
  return {
    async createDatabase(name: string) {
      await server.createDatabase(name)
      return `${origin}/${name}`
    },
    async stop() {
      await server.stop()
      rmSync(databaseDir, { recursive: true, force: true })
    },
  }
}

async function measureReleases(
  name: string,
  releases: readonly Release[],
  createDatabase: (release: Release) => Promise<string | undefined>,
) {
  const started: Started[] = []
  try {
    for (const release of releases) started.push(await start(release, await createDatabase(release)))
    for (const one of started) await measure(one, 8)
    for (const count of clients) {
      const found = new Map<Started, Measured[]>(started.map((one) => [one, []]))
      for (let turn = 0; turn < turns; turn += 1) {
        for (const one of started) {
          const row = await measure(one, count)
          found.get(one)?.push(row)
          process.stderr.write(`${name}, ${count} clients, ${one.release.name}: ${Math.round(row['a second'])} a second\n`)
        }
      }
      printTable(`Forms, ${name}, ${count} clients, ${turns} turns of ${seconds} s`, summarize(found))
    }
    for (const one of started) printTable(`Killed under load, ${name}, ${one.release.name}`, [await killAndCount(one)])
  } finally {
    for (const { product } of started) await product.stop()
  }
}

async function start(release: Release, url: string | undefined): Promise<Started> {
  const home = process.cwd()
  process.chdir(release.folder)
  const environment = { ...own, ...(url && { DATABASE_URL: url }) }
  const product = await startProduct({ ...environment }).finally(() => process.chdir(home))
  const origin = product.address()
  const client = await createTestClient(origin).arrive()
  const headers = {
    origin,
    cookie: client.cookieHeader(),
    'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '',
    'content-type': 'application/json',
  }
  return { release, product, environment, confirmed: [], headers }
}

type Measured = Awaited<ReturnType<typeof measure>>

async function measure(started: Started, connections: number) {
  const { product, confirmed } = started
  const [before, cpuBefore, ownBefore] = [confirmed.length, cpuOf(product.pid()), process.cpuUsage()]
  const { latency, non2xx, errors, duration } = await send(started, connections, seconds)
  const ownCpu = process.cpuUsage(ownBefore)
  const cpu = cpuOf(product.pid()) - cpuBefore
  const sentAt = performance.now()
  // A turn must not pay for the mails of the one before.
  await untilMailed(started)
  return {
    'a second': (confirmed.length - before) / duration,
    'p50 (ms)': latency.p50,
    'p99 (ms)': latency.p99,
    'not 2xx': non2xx + errors,
    'product, CPU %': (cpu / duration) * 100,
    'load, CPU %': ((ownCpu.user + ownCpu.system) / 1e6 / duration) * 100,
    'mails left after (s)': (performance.now() - sentAt) / 1_000,
  }
}

let number = 0

function send({ product, headers, confirmed }: Started, connections: number, duration: number) {
  return autocannon({
    url: product.address(),
    connections,
    duration,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => {
          number += 1
          const kind = number % 2 === 0 ? 'contact' : 'support'
          return {
            ...request,
            path: `/api/mailer/${kind}`,
            body: JSON.stringify(kind === 'contact' ? contactOf(number) : supportOf(number)),
            // Each from its own address, because one address would be rate-limited.
            headers: { ...headers, 'x-forwarded-for': addressOf(number) },
          }
        },
        onResponse: (status, body) => {
          if (status === 200) confirmed.push((JSON.parse(body) as { reference: string }).reference)
        },
      },
    ],
  })
}

const text = (at: number) =>
  `Formulaire ${at}. Depuis ce matin, la connexion du deuxième étage tombe toutes les dix minutes; le voyant du routeur clignote en orange.`
const tracesOf = () => ({ honey: '', language: 'fr', elapsed_ms: 30_000, client_id: crypto.randomUUID() })
const personOf = (at: number) => ({ email: `client${at}@example.com`, phone: '418-555-0101' })
const contactOf = (at: number) => ({ ...tracesOf(), ...personOf(at), name: `Ana Côté ${at}`, message: text(at) })
const supportOf = (at: number) => ({
  ...tracesOf(),
  ...personOf(at),
  firstname: 'Ana',
  lastname: `Côté ${at}`,
  subject: 'Connexion',
  description: text(at),
})

/** The mail to the staff and the one to the customer of each form; those of requests that autocannon dropped at its end, too. */
async function untilMailed({ product, confirmed }: Started) {
  const until = performance.now() + longestMs
  const hasAll = () => product.smtp.received.length >= 2 * confirmed.length
  while (!hasAll() && performance.now() < until) await pause(50)
  if (!hasAll()) throw new Error(`${product.smtp.received.length} mails of ${2 * confirmed.length} came`)
}

/** Kills the product while forms come in, and compares what its database holds with what it confirmed. */
async function killAndCount(started: Started) {
  const { product, environment, confirmed } = started
  const sending = send(started, 64, 3)
  await pause(2_000)
  await product.end('SIGKILL')
  await sending
  const database = await openDatabase({ dataDir: product.dataDir, databaseUrl: environment.DATABASE_URL })
  const read = async (statement: string) => (await database.executeSql(statement)).rows
  const rows = (await read('select reference, message from requests')) as { reference: string; message: string }[]
  const mailed = (await read('select count(*)::int as count from mails')) as { count: number }[]
  await database.close()
  const stored = new Set(rows.map(({ reference }) => reference))
  return {
    confirmed: confirmed.length,
    'twice confirmed': confirmed.length - new Set(confirmed).size,
    lost: confirmed.filter((reference) => !stored.has(reference)).length,
    stored: rows.length,
    'stored twice': rows.length - new Set(rows.map(({ message }) => message)).size,
    'mails a form': (mailed[0]?.count ?? 0) / rows.length,
  }
}

/** The middle of each figure over the turns; the ratio of each turn is with the release before it in the same turn. */
function summarize(found: Map<Started, Measured[]>) {
  const [first] = found.values()
  return [...found].map(([{ release }, rows]) => {
    const middles = Object.keys(rows[0] ?? {}).map((key) => [key, middleOf(rows.map((row) => row[key as keyof Measured]))])
    const ratio = middleOf(rows.map((row, turn) => row['a second'] / (first?.[turn]?.['a second'] ?? Number.NaN)))
    return { release: release.name, ...(Object.fromEntries(middles) as Measured), ratio }
  })
}

const middleOf = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/** Seconds of processor time that a process took so far. */
function cpuOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
