import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '../database/database.ts'
import { migrateDatabase, tryToHoldMigrations } from '../database/migrate.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { checkArchive } from './check-archive.ts'
import { writeRunningBackup } from './running-backup.ts'

let folder: string
let database: OpenDatabase
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-running-'))
  database = await openTestDatabase()
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const findOne = async <T>(query: string) => (await database.executeSql(query)).rows[0] as T

test('a process of its own writes every row of a large table', { timeout: 120_000 }, async () => {
  const { url } = await findOne<{ url: string }>(
    `select 'postgres://postgres:postgres@127.0.0.1:' || current_setting('port') || '/' || current_database() as url`,
  )
  await database.executeSql(
    `insert into request_blocks (email) select 'é' || n || '@example.com' from generate_series(1, 5000) n`,
  )
  const file = join(folder, 'whole.tar.gz')
  const manifest = await writeRunningBackup({ dataDir: folder, databaseUrl: url }, { file, files: false })
  expect(manifest.tables.find(({ name }) => name === 'request_blocks')?.rows).toBe(5_000)
  expect(await checkArchive(file)).toEqual(manifest)
})

test('a migration waits for a backup, and a start without one does not', async () => {
  const migrations = join(folder, 'migrations')
  mkdirSync(join(migrations, 'meta'), { recursive: true })
  writeFileSync(join(migrations, '0.sql'), 'create table migrated_later (id int);')
  const entries = [{ idx: 0, version: '7', when: 1_700_000_000_000, tag: '0', breakpoints: true }]
  writeFileSync(join(migrations, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  const countWaiting = async () =>
    (
      await findOne<{ n: number }>(`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    ).n
  const isMigrated = async () =>
    (await findOne<{ found: string | null }>("select to_regclass('migrated_later') as found")).found !== null

  let migration: Promise<void> | undefined
  await database.db.transaction(async (tx) => {
    expect(await tryToHoldMigrations(tx)).toBe(true)
    await migrateDatabase(database.db)
    migration = migrateDatabase(database.db, { folder: migrations })
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1)
    expect(await isMigrated()).toBe(false)
  })
  await migration
  expect(await isMigrated()).toBe(true)
})
