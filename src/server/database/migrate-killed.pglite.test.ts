import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, expect, test } from 'vitest'
import { migrateDatabase } from './migrate.ts'
import { openPglite } from './pglite.ts'

const data = mkdtempSync(join(tmpdir(), 'guichet-killed-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

test('a start killed during a migration is repaired by the next', async () => {
  await killWhileMigrating(data)
  const opened = await openPglite(data)
  await migrateDatabase(opened.db)
  const { rows } = (await opened.db.execute(sql`select count(*) as n from migrations`)) as { rows: { n: unknown }[] }
  await opened.close()
  expect(Number(rows[0]?.n)).toBe(readMigrationFiles({ migrationsFolder: 'migrations' }).length)
}, 120_000)

/** Kills the process after the first tables are created, before the transaction ends. */
async function killWhileMigrating(data: string) {
  const script = `
    const { openPglite } = await import(${JSON.stringify(join(import.meta.dirname, 'pglite.ts'))})
    const { migrateDatabase } = await import(${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))})
    const { db } = await openPglite(process.argv[1])
    let statements = 0
    const counted = { transaction: (work) => db.transaction((tx) => work({ execute: async (query) => {
      statements += 1
      if (statements === 30) { console.log('half-way'); process.kill(process.pid, 'SIGKILL') }
      return tx.execute(query)
    } })) }
    await migrateDatabase(counted)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, data], { stdio: ['ignore', 'pipe', 'inherit'] })
  const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)))
  expect(signal).toBe('SIGKILL')
}
