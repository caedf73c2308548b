import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { features } from '#src/app/features.ts'
import { hashPassword } from '#src/features/people/sign-in/server/passwords.ts'
import { areasOf } from '#src/lib/feature.ts'
import { everyRight } from '#src/lib/rights.ts'
import { fillGrowth } from '#src/app/testing/fill-growth.ts'
import { openDatabase } from '#src/server/database/database.ts'
import type { Database } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { startEmbeddedPostgres } from '#src/server/testing/embedded-postgres.ts'
import { pause, trusting } from '../chaos/clients.ts'
import { administrator, startProduct } from '../e2e/product.ts'
import type { Figures } from './growth-figures.ts'
import { measureCopy, measureReads, measureWaits, verdictOf, worksOf } from './growth-figures.ts'
import type { Release } from './releases.ts'
import { prepareReleases } from './releases.ts'
import { printTable } from './table.ts'

/** Five years of a small company at one; ten times that takes most of an hour. */
const sizes = (factor: number) => ({
  chats: 20_000 * factor,
  requests: 6_000 * factor,
  notes: 300 * factor,
  auditEntries: 150_000 * factor,
})
const messagesPerChat = 15
const mostMinutes = Number(process.env.GROWTH_MINUTES ?? 90)
const own = { ...trusting, SESSION_SECRET: 'b'.repeat(64), DEMO: '0', MAX_SOCKETS_PER_ADDRESS: '100' }

const startedAt = Date.now()
const progress = (where: string) => (text: string) => {
  const minutes = (Date.now() - startedAt) / 60_000
  process.stderr.write(`${minutes.toFixed(1)} min, ${where}: ${text}\n`)
  if (minutes > mostMinutes) throw new Error(`stopped after ${mostMinutes} minutes; GROWTH=1 measures the small size alone`)
}
type Tell = ReturnType<typeof progress>

/**
 * Fills databases with a company's five years, starts the product on them and measures what must not grow with the past.
 * `GROWTH` names the sizes (1,10, and `embedded`), `GROWTH_BEFORE` an earlier release that is measured in the same run on the
 * same data (the folder where it is built, or its commit, which is built first), `GROWTH_URL` a PostgreSQL server that keeps the filled databases for the next run.
 */
export async function benchGrowth() {
  const wanted = (process.env.GROWTH ?? '1,10,embedded').split(',')
  const factors = wanted.filter((name) => name !== 'embedded').map(Number)
  const { releases, remove } = prepareReleases(process.env.GROWTH_BEFORE)
  try {
    await measureSizes(factors, releases, wanted.includes('embedded'))
  } finally {
    remove()
  }
}

async function measureSizes(factors: number[], releases: readonly Release[], isEmbeddedWanted: boolean) {
  if (factors.length > 0) {
    const server = await openServer()
    try {
      const columns: Record<string, Figures> = {}
      for (const factor of factors) {
        const filled = await fillPostgres(server.origin, factor, releases[0]?.folder)
        for (const release of releases) {
          columns[`x${factor} ${release.name}`] = await measurePostgres(server.origin, filled, factor, release)
          printFigures(false, columns)
        }
      }
    } finally {
      await server.stop()
    }
  }
  if (isEmbeddedWanted) {
    const columns: Record<string, Figures> = {}
    const filled = await fillEmbedded(releases[0]?.folder)
    try {
      for (const release of releases) {
        columns[`x1 ${release.name}`] = await measureEmbedded(filled, release)
        printFigures(true, columns)
      }
    } finally {
      rmSync(filled, { recursive: true, force: true })
    }
  }
}

async function openServer() {
  if (process.env.GROWTH_URL) return { origin: process.env.GROWTH_URL, stop: async () => undefined }
  const databaseDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  const { server, origin } = await startEmbeddedPostgres({ databaseDir, persistent: false, database: 'empty' })
  const stop = async () => {
    await server.stop()
    rmSync(databaseDir, { recursive: true, force: true })
  }
  return { origin, stop }
}

async function runSql<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let row: Row | undefined
    for (const statement of statements) row = (await client.query<Row>(statement)).rows[0]
    return row
  } finally {
    await client.end()
  }
}

/** In the schema of the release measured first: the later one migrates it. Returns the name of the database. */
async function fillPostgres(origin: string, factor: number, folder = process.cwd()) {
  const tell = progress(`PostgreSQL x${factor}`)
  const name = `filled_x${factor}`
  if (await runSql(`${origin}/postgres`, `select from pg_database where datname = '${name}'`)) return name
  await runSql(
    `${origin}/postgres`,
    `drop database if exists filling_x${factor} with (force)`,
    `create database filling_x${factor}`,
  )
  const pool = new pg.Pool({ connectionString: `${origin}/filling_x${factor}` })
  await fill(drizzle(pool), factor, folder, tell)
  await pool.end()
  await runSql(`${origin}/postgres`, `alter database filling_x${factor} rename to ${name}`)
  return name
}

async function fillEmbedded(folder = process.cwd()) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  const database = await openDatabase({ dataDir, databaseUrl: undefined })
  await fill(database.db, 1, folder, progress('embedded x1'))
  await database.executeSql('checkpoint')
  await database.close()
  return dataDir
}

async function fill(db: Database, factor: number, folder: string, tell: Tell) {
  await migrateDatabase(db, { folder: join(folder, 'migrations') })
  for await (const step of fillGrowth(db, sizes(factor))) tell(`filled ${step}`)
  // The product creates its first administrator only where there are no users.
  const rights = JSON.stringify(everyRight(areasOf(features)))
  await db.execute(sql`with made as (insert into groups (name, rights) values ('bench', ${rights}::jsonb) returning id)
    insert into users (username, display_name, password_hash, group_id)
    select ${administrator.username}, 'Bench', ${await hashPassword(administrator.password)}, id from made`)
}

async function measurePostgres(origin: string, filled: string, factor: number, release: Release): Promise<Figures> {
  const tell = progress(`PostgreSQL x${factor}, ${release.name}`)
  const [run, restored] = [`growth_run_x${factor}`, `growth_restored_x${factor}`]
  await runSql(
    `${origin}/postgres`,
    `drop database if exists ${run} with (force)`,
    `drop database if exists ${restored} with (force)`,
    `create database ${run} template ${filled}`,
    `create database ${restored}`,
  )
  tell('starts')
  const found = await measureProduct(
    release,
    { DATABASE_URL: `${origin}/${run}` },
    { DATABASE_URL: `${origin}/${restored}` },
    tell,
  )
  found['MB for 100,000 messages'] = growthOf(await runSql<Size>(`${origin}/${run}`, sizeOfChats), factor)
  return found
}

type Size = { bytes: number }
const sizeOfChats = `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class where relkind = 'r' and relname in
  ('chats', 'chat_messages', 'chat_texts', 'chat_figures')`
const growthOf = (size: Size | undefined, factor: number) =>
  (size?.bytes ?? Number.NaN) / 1e6 / ((sizes(factor).chats * messagesPerChat) / 100_000)

async function measureEmbedded(filled: string, release: Release): Promise<Figures> {
  const tell = progress(`embedded x1, ${release.name}`)
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  cpSync(filled, dataDir, { recursive: true })
  tell('starts')
  return measureProduct(release, {}, {}, tell, dataDir)
}

type Environment = Record<string, string>

async function measureProduct(
  release: Release,
  environment: Environment,
  emptyEnvironment: Environment,
  tell: Tell,
  dataDir?: string,
): Promise<Figures> {
  const home = process.cwd()
  process.chdir(release.folder)
  const url = environment.DATABASE_URL
  const migrating = url ? watchWrites(url) : null
  const start = performance.now()
  // The first start migrates the filled database and seals the audit log.
  const product = await startProduct({ ...own, ...environment }, dataDir)
  const found: Figures = { 'first start': performance.now() - start }
  // The embedded database takes no other connection to watch from.
  if (migrating) found['longest write meanwhile'] = await migrating.stop()
  const archive = join(tmpdir(), `guichet-growth-${process.pid}.tar.gz`)
  try {
    if (url) await untilFigures(url, tell)
    const stopping = performance.now()
    await product.end('SIGTERM')
    const again = performance.now()
    found.stop = again - stopping
    await product.restart()
    found.start = performance.now() - again
    Object.assign(found, await measureReads(product, tell))
    const retain = url ? () => runRetention(url) : null
    const backupEnvironment = { ...own, ...environment }
    const waits = await measureWaits(
      product,
      worksOf(product, { release, archive, environment: backupEnvironment, retain }),
      tell,
    )
    printTable(`What others wait for meanwhile, in milliseconds (${url ? 'PostgreSQL' : 'embedded'}, ${release.name})`, waits)
    if (dataDir) found['data folder, MB'] = (await measureFolder(join(dataDir, 'database'))) / 1e6
    if (existsSync(archive)) Object.assign(found, await measureCopy(archive, { ...own, ...emptyEnvironment }, release, tell))
    found['backup, rows a second'] = Number(waits.find((row) => row.while === 'backup')?.['rows a second'] ?? Number.NaN)
  } finally {
    process.chdir(home)
    rmSync(archive, { force: true })
    await product.end('SIGKILL')
    if (dataDir) found['MB for 100,000 messages'] = await measureGrowth(dataDir)
    await product.stop()
  }
  return found
}

async function measureGrowth(dataDir: string) {
  const database = await openDatabase({ dataDir, databaseUrl: undefined })
  const { rows } = await database.executeSql(sizeOfChats).finally(() => database.close())
  return growthOf((rows as Size[])[0], 1)
}

/** The longest time that a write of a visitor waits, in milliseconds, until it is stopped. */
function watchWrites(url: string) {
  let longest = 0
  const stopping = new AbortController()
  const client = new pg.Client({ connectionString: url })
  const watching = (async () => {
    await client.connect()
    while (!stopping.signal.aborted) {
      const start = performance.now()
      await client.query(`update chats set updated_at = updated_at where id = 1`).catch(() => undefined)
      longest = Math.max(longest, performance.now() - start)
      await pause(20)
    }
    await client.end()
  })()
  const stop = async () => {
    stopping.abort()
    await watching
    return longest
  }
  return { stop }
}

/** The figures of chats that ended before the upgrade are stored while the product runs. */
async function untilFigures(url: string, tell: Tell) {
  const count = `select (select count(*) from chats where status = 'closed')::int - (select count(*) from chat_figures)::int as left`
  for (;;) {
    const row = await runSql<{ left: number }>(url, count).catch(() => undefined)
    if (!row || row.left <= 0) return
    tell(`${row.left} chats without figures`)
    await pause(5_000)
  }
}

/** One night of the backlog of five years. */
async function runRetention(url: string) {
  await runSql(url, `insert into queue.job (name, data) select name, '{}' from queue.queue where name = 'retention'`)
  for (;;) {
    await pause(1_000)
    const row = await runSql<{ left: number }>(
      url,
      `select count(*)::int as left from queue.job where name = 'retention' and state < 'completed'`,
    )
    if (row?.left === 0) return
  }
}

async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true })
  const all = entries.map((entry) =>
    entry.isDirectory() ? measureFolder(join(folder, entry.name)) : stat(join(folder, entry.name)).then(({ size }) => size),
  )
  return (await Promise.all(all)).reduce((sum, size) => sum + size, 0)
}

/** The ratio is that of the last two sizes of this release. */
function printFigures(isEmbedded: boolean, columns: Record<string, Figures>) {
  const names = [...new Set(Object.values(columns).flatMap((found) => Object.keys(found)))]
  const own = Object.entries(columns).filter(([column]) => column.endsWith('now'))
  printTable(
    `${isEmbedded ? 'The embedded database' : 'PostgreSQL'}, in milliseconds where nothing else is said`,
    names.map((name) => {
      const values = own.map(([, found]) => found[name] ?? Number.NaN)
      return {
        what: name,
        ...Object.fromEntries(Object.entries(columns).map(([column, found]) => [column, found[name] ?? Number.NaN])),
        ratio: values.length > 1 ? (values.at(-1) ?? 0) / (values[0] ?? 0) : '',
        verdict: verdictOf(name, values, isEmbedded),
      }
    }),
  )
  if (process.env.GROWTH_FIGURES) writeFileSync(process.env.GROWTH_FIGURES, JSON.stringify(columns, null, 1))
}
