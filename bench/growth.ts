import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { features } from '#src/app/features.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { hashPassword } from '#src/features/people/sign-in/server/passwords.ts'
import { areasOf } from '#src/lib/feature.ts'
import { everyRight } from '#src/lib/rights.ts'
import { fillGrowth } from '#src/app/testing/fill-growth.ts'
import { openDatabase } from '#src/server/database/database.ts'
import type { Database } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { startEmbeddedPostgres } from '#src/server/testing/embedded-postgres.ts'
import { trusting } from '../chaos/clients.ts'
import { administrator, startProduct } from '../e2e/product.ts'
import type { Figures } from './growth-figures.ts'
import { measureReads, measureWaits, runScript, worksOf } from './growth-figures.ts'
import { printTable } from './table.ts'

/** Five years of a small company at one; ten times that takes most of an hour. */
const sizes = (factor: number) => ({
  chats: 20_000 * factor,
  requests: 6_000 * factor,
  notes: 300 * factor,
  auditEntries: 150_000 * factor,
})
const messagesPerChat = 15
const mostMs = 300
const mostMinutes = 90
const own = { ...trusting, SESSION_SECRET: 'b'.repeat(64), DEMO: '0', MAX_SOCKETS_PER_ADDRESS: '100' }

const startedAt = Date.now()
const progress = (where: string) => (text: string) => {
  const minutes = (Date.now() - startedAt) / 60_000
  process.stderr.write(`${minutes.toFixed(1)} min, ${where}: ${text}\n`)
  if (minutes > mostMinutes) throw new Error(`stopped after ${mostMinutes} minutes; GROWTH=1 measures the small size alone`)
}

/** Fills databases with a company's five years, starts the product on them and measures what must not grow with the past. */
export async function benchGrowth() {
  const factors = (process.env.GROWTH ?? '1,10').split(',').map(Number)
  const databaseDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  const { server, origin } = await startEmbeddedPostgres({ databaseDir, persistent: false, database: 'empty' })
  const columns: Record<string, Figures> = {}
  try {
    for (const factor of factors) {
      await server.createDatabase(`x${factor}`)
      await server.createDatabase(`restored${factor}`)
      columns[`x${factor}`] = await measurePostgres(`${origin}/x${factor}`, `${origin}/restored${factor}`, factor)
    }
  } finally {
    await server.stop()
    rmSync(databaseDir, { recursive: true, force: true })
  }
  printFigures('PostgreSQL, in milliseconds where nothing else is said', columns)
  printFigures('The embedded database, in milliseconds where nothing else is said', { x1: await measureEmbedded() })
}

async function measurePostgres(url: string, emptyUrl: string, factor: number): Promise<Figures> {
  const tell = progress(`PostgreSQL x${factor}`)
  const pool = new pg.Pool({ connectionString: url })
  await fill(drizzle(pool), factor, tell)
  const { rows } = await pool.query<{ bytes: number }>(`select sum(pg_total_relation_size(name))::float8 as bytes
    from unnest(array['chats', 'chat_messages', 'chat_texts', 'chat_figures']) name`)
  await pool.end()
  const growth = (rows[0]?.bytes ?? 0) / ((sizes(factor).chats * messagesPerChat) / 100_000)
  return measureProduct({ DATABASE_URL: url }, { DATABASE_URL: emptyUrl }, growth, tell)
}

async function measureEmbedded(): Promise<Figures> {
  const tell = progress('embedded x1')
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  const database = await openDatabase({ dataDir, databaseUrl: undefined })
  await migrateDatabase(database.db)
  const before = await measureFolder(dataDir)
  const steps = fillGrowth(database.db, { ...sizes(1), requests: 0, notes: 0, auditEntries: 0 })
  while (!(await steps.next()).done) tell('filling')
  await addAdministrator(database.db)
  await database.executeSql('checkpoint')
  const growth = ((await measureFolder(dataDir)) - before) / ((sizes(1).chats * messagesPerChat) / 100_000)
  await database.close()
  return measureProduct({}, {}, growth, tell, dataDir)
}

async function fill(db: Database, factor: number, tell: (text: string) => void) {
  await migrateDatabase(db)
  for await (const step of fillGrowth(db, sizes(factor))) tell(`filled ${step}`)
  await addAdministrator(db)
}

/** The product creates its first administrator only where there are no users. */
async function addAdministrator(db: Database) {
  const [group] = await db
    .insert(groups)
    .values({ name: 'Administrators of the bench', rights: everyRight(areasOf(features)) })
    .returning()
  if (!group) throw new Error('the group of administrators was not stored')
  const passwordHash = await hashPassword(administrator.password)
  await db
    .insert(users)
    .values({ username: administrator.username, displayName: 'Bench', passwordHash, groupId: group.id })
    .onConflictDoNothing()
}

type Environment = Record<string, string>

async function measureProduct(
  environment: Environment,
  emptyEnvironment: Environment,
  growth: number,
  tell: (text: string) => void,
  dataDir?: string,
): Promise<Figures> {
  const start = performance.now()
  // The first start seals the audit log.
  const product = await startProduct({ ...own, ...environment }, dataDir)
  const first = performance.now() - start
  const again = performance.now()
  await product.restart('SIGTERM')
  const found: Figures = { 'first start': first, start: performance.now() - again }
  Object.assign(found, await measureReads(product, tell))
  printTable(
    `What others wait for meanwhile, in milliseconds (${Object.keys(environment).length > 0 ? 'PostgreSQL' : 'embedded'})`,
    await measureWaits(product, worksOf(product), tell),
  )

  tell('backup and restore')
  const archive = join(tmpdir(), `guichet-growth-${process.pid}.tar.gz`)
  const emptyDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  try {
    const { port } = new URL(product.address())
    const made = await runScript('backup', [archive], { ...own, DATA_DIR: product.dataDir, PORT: port, ...environment })
    const restored = await runScript('restore', [archive], { ...own, DATA_DIR: emptyDir, ...emptyEnvironment })
    const rows = Number(/([\d,\u00a0 ]+) rows/.exec(made.output)?.[1]?.replaceAll(/\D/g, '') ?? Number.NaN)
    found['backup, rows a second'] = rows / made.seconds
    found['restore, rows a second'] = rows / restored.seconds
    found['restore, peak MB'] = restored.peakMb
  } finally {
    rmSync(archive, { force: true })
    rmSync(emptyDir, { recursive: true, force: true })
    await product.stop()
  }
  found['MB for 100,000 messages'] = growth / 1e6
  return found
}

async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true })
  const all = entries.map((entry) =>
    entry.isDirectory() ? measureFolder(join(folder, entry.name)) : stat(join(folder, entry.name)).then(({ size }) => size),
  )
  return (await Promise.all(all)).reduce((sum, size) => sum + size, 0)
}

/** Starts, erasures and what is no duration have limits of their own. */
const hasOwnLimit = /start|erasure|verification|five years|home page|second$|MB|KB/

function printFigures(title: string, columns: Record<string, Figures>) {
  const names = Object.keys(Object.values(columns)[0] ?? {})
  printTable(
    title,
    names.map((name) => {
      const values = Object.entries(columns).map(([factor, found]) => [factor, found[name] ?? Number.NaN] as const)
      const [first, last] = [values[0]?.[1] ?? 0, values.at(-1)?.[1] ?? 0]
      const isGood = values.every(([, value]) => value <= mostMs)
      return {
        what: name,
        ...Object.fromEntries(values),
        ...(values.length > 1 && { ratio: last / first }),
        verdict: hasOwnLimit.test(name) ? '' : isGood ? 'good' : 'too slow',
      }
    }),
  )
}
