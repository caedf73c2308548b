import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { fillGrowth } from '#src/app/testing/fill-growth.ts'
import { findAuditEntries } from '../src/features/audit/server/service.ts'
import { findStaffChats } from '../src/features/chat/server/staff-chats.ts'
import { mailData } from '../src/features/privacy/server/service.ts'
import { findRequests } from '../src/features/requests/server/lookup.ts'
import { dumpDatabase } from '#src/server/backup/dump.ts'
import type { Database } from '#src/server/database/database.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { startEmbeddedPostgres } from '#src/server/testing/embedded-postgres.ts'
import { printTable } from './table.ts'

/** Five years of a company; ten times that with `GROWTH=10`, which takes half an hour. */
const sizes = (factor: number) => ({
  chats: 20_000 * factor,
  requests: 6_000 * factor,
  notes: 300 * factor,
  auditEntries: 150_000 * factor,
})
const runs = 5
const mostMs = 300

type Query = Parameters<typeof findRequests>[1]

const chats = (search: string, scope: 'open' | 'all') => (db: Database) => findStaffChats(db, { scope, search }, () => false)
const requests = (query: Partial<Query>) => (db: Database) => findRequests(db, { page: 1, sort: '-created_at', ...query }, null)
const audit = (filter: object) => (db: Database) => findAuditEntries({ db, contents: [] }, filter)

const reads: Record<string, (db: Database) => Promise<unknown>> = {
  'open chats': chats('', 'open'),
  'chats, a common word': chats('imprimante', 'all'),
  'chats, a rare word': chats('ornithorynque', 'all'),
  'chats, an absent word': chats('zzzabsent', 'all'),
  'open chats, an absent word': chats('zzzabsent', 'open'),
  requests: requests({}),
  'requests by name': requests({ sort: 'name' }),
  'requests, a common word': requests({ search: 'imprimante' }),
  'requests, an absent word': requests({ search: 'zzzabsent' }),
  'audit log': audit({}),
  'audit log, page 200': audit({ page: 200 }),
  'audit log, a name': audit({ who: 'nicien 7' }),
  'audit log, an absent name': audit({ who: 'zzzabsent' }),
  'audit log, a year': audit({ from: '2024-01-01', to: '2024-12-31' }),
  'mails of a person': (db) => mailData.find(db, 'client7@example.com'),
}

/** Fills databases with a company's five years, and measures what must not become slower with them. */
export async function benchGrowth() {
  const most = Number(process.env.GROWTH || 1)
  const databaseDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  const { server, origin } = await startEmbeddedPostgres({ databaseDir, persistent: false, database: 'x1' })
  const columns: Record<string, Record<string, number>> = {}
  try {
    for (const factor of most > 1 ? [1, most] : [most]) {
      if (factor !== 1 && most > 1) await server.createDatabase(`x${factor}`)
      const pool = new pg.Pool({ connectionString: `${origin}/x${most > 1 ? factor : 1}` })
      columns[`x${factor}`] = await measure(drizzle(pool), factor)
      await pool.end()
    }
  } finally {
    await server.stop()
    rmSync(databaseDir, { recursive: true, force: true })
  }
  print(`PostgreSQL, in milliseconds (wanted: at most ${mostMs})`, columns)

  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-growth-'))
  const embedded = await openDatabase({ dataDir, databaseUrl: undefined })
  try {
    print(`the embedded database, in milliseconds (wanted: at most ${mostMs})`, {
      [`x${Math.min(most, 1)}`]: await measure(embedded.db, Math.min(most, 1)),
    })
  } finally {
    await embedded.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(db: Database, factor: number) {
  await migrateDatabase(db)
  for await (const step of fillGrowth(db, sizes(factor))) process.stderr.write(`x${factor}: filled ${step}\n`)
  const found: Record<string, number> = {}
  for (const [name, read] of Object.entries(reads)) found[name] = await timeMedian(() => read(db))
  const folder = mkdtempSync(join(tmpdir(), 'guichet-growth-dump-'))
  const start = performance.now()
  const { tables } = await dumpDatabase(db, folder)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  rmSync(folder, { recursive: true, force: true })
  return { ...found, 'backup of 10,000 rows': (performance.now() - start) / (rows / 10_000) }
}

async function timeMedian(work: () => Promise<unknown>) {
  const times = []
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(runs / 2)] ?? 0
}

function print(title: string, columns: Record<string, Record<string, number>>) {
  const names = Object.keys(Object.values(columns)[0] ?? {})
  printTable(
    title,
    names.map((name) => {
      const values = Object.entries(columns).map(([factor, found]) => [factor, found[name] ?? 0] as const)
      const slowest = Math.max(...values.map(([, value]) => value))
      const [first, last] = [values[0]?.[1] ?? 0, values.at(-1)?.[1] ?? 0]
      return {
        what: name,
        ...Object.fromEntries(values),
        ...(values.length > 1 && { ratio: last / first }),
        verdict: slowest <= mostMs ? 'good' : 'too slow',
      }
    }),
  )
}
