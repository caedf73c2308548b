import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Connection, PoolClient } from 'pg'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, OpenDatabase } from '../database/database.ts'
import { migrateDatabase, tryToHoldMigrations } from '../database/migrate.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { openPostgres } from '../database/postgres.ts'
import { checkArchive } from './check-archive.ts'
import { connectionOf, copyOut } from './copy-out.ts'
import { dumpDatabase } from './dump.ts'
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
  const ofAnother = join(folder, 'other.tar.gz.part')
  writeFileSync(ofAnother, 'another product writes this at the same time')
  const identity = { file: 'key.txt', keys: [await generateIdentity()] }
  const backupRecipients = [await identityToRecipient(identity.keys[0] ?? '')]
  const manifest = await writeRunningBackup({ dataDir: folder, databaseUrl: url, backupRecipients }, { file, files: false })
  expect(existsSync(ofAnother)).toBe(true)
  expect(manifest.tables.find(({ name }) => name === 'request_blocks')?.rows).toBe(5_000)
  expect(await checkArchive(file, identity)).toEqual(manifest)
  await expect(checkArchive(file)).rejects.toThrow('give the private key with --identity FILE')
})

test('the total of the progress is known before the tables were analyzed', async () => {
  await database.executeSql(
    `create table never_analyzed (n int primary key); insert into never_analyzed select generate_series(1, 3000)`,
  )
  const seen: [number, number | null][] = []
  const { tables } = await dumpDatabase(database.db, mkdtempSync(join(folder, 'dump-')), (...now) => seen.push(now))
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  expect(rows).toBeGreaterThanOrEqual(3_000)
  expect(seen[0]?.[1]).toBeGreaterThanOrEqual(3_000)
  expect(seen.at(-1)).toEqual([rows, expect.any(Number)])
  await database.executeSql('drop table never_analyzed')
})

const streamOf = (tx: Database) => (connectionOf(tx) as unknown as { connection: Connection }).connection.stream
const rowsOf = (tx: Database, query: string) => copyOut(connectionOf(tx) as PoolClient, query)

test('rows come as they are stored, however long they are', async () => {
  const texts = ['\\.', '\\N', '', 'a\tb\nc\u0001\u0002', `"É\u00a0☎️'`, 'x'.repeat(600_000)]
  const lines = await database.db.transaction(async (tx) => {
    const parts: Buffer[] = []
    const list = JSON.stringify(texts).replaceAll("'", "''")
    for await (const { bytes } of rowsOf(tx, `select value::text from jsonb_array_elements('${list}') value`)) parts.push(bytes)
    return Buffer.concat(parts).toString().split('\n')
  })
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line) as string)).toEqual(texts)
})

test('a reader that stops early, and one whose query fails, leave the connection to others', async () => {
  await database.db.transaction(async (tx) => {
    for await (const { rows } of rowsOf(tx, `select repeat('x', 1000) from generate_series(1, 20000)`)) {
      expect(rows).toBeGreaterThan(0)
      // The server is held up once four blocks wait for the reader.
      await expect.poll(() => streamOf(tx).isPaused()).toBe(true)
      break
    }
    expect(await tx.execute(sql`select 7 as n`)).toMatchObject({ rows: [{ n: 7 }] })
  })
  const read = database.db.transaction(async (tx) => {
    for await (const { rows } of rowsOf(tx, 'select 1 / (3 - n) from generate_series(1, 5) n')) expect(rows).toBeGreaterThan(0)
  })
  await expect(read).rejects.toThrow('division by zero')
  expect(await findOne('select 8 as n')).toEqual({ n: 8 })
})

function writeMigration(name: string, statements: string) {
  const migrations = join(folder, name)
  mkdirSync(join(migrations, 'meta'), { recursive: true })
  writeFileSync(join(migrations, '0.sql'), statements)
  const entries = [{ idx: 0, version: '7', when: 1_700_000_000_000, tag: '0', breakpoints: true }]
  writeFileSync(join(migrations, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  return migrations
}

const countWaiting = async () =>
  (
    await findOne<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).n

test('a migration waits for a backup, and a start without one does not', async () => {
  const migrations = writeMigration('waits', 'create table migrated_later (id int);')
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

test('the index of a large table is built while rows are written, again after an interruption', async () => {
  await database.executeSql('create table large (id int, name text)')
  await database.executeSql("insert into large select n, 'name ' || n from generate_series(1, 500) n")
  const folder = writeMigration('index', 'CREATE INDEX "large_name" ON "large" USING btree ("name");')
  const isValid = async () =>
    (
      await findOne<{ valid: boolean } | undefined>(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass('large_name')`,
      )
    )?.valid

  // A transaction that wrote a row holds the build up, and the next writer does not wait for it.
  let migration: Promise<unknown> | undefined
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into large values (501, 'before')`)
    migration = migrateDatabase(database.db, { folder, largeTable: 1 }).catch((error: unknown) => error)
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1)
    await database.executeSql("insert into large values (502, 'meanwhile')")
    expect(await isValid()).toBe(false)
    await database.executeSql(
      `select pg_cancel_backend(pid) from pg_stat_activity where query like 'CREATE INDEX CONCURRENTLY "large_name"%'`,
    )
    expect(await migration).toBeInstanceOf(Error)
  })
  await migrateDatabase(database.db, { folder, largeTable: 1 })
  expect(await isValid()).toBe(true)
})

test('a table of the same migration has its index before the next statement, however large it is', async () => {
  const folder = writeMigration(
    'fresh',
    `CREATE TABLE "fresh" ("id" integer);--> statement-breakpoint
    INSERT INTO "fresh" SELECT generate_series(1, 500);--> statement-breakpoint
    CREATE INDEX "fresh_id" ON "fresh" USING btree ("id");--> statement-breakpoint
    DO $$ BEGIN IF to_regclass('fresh_id') IS NULL THEN RAISE EXCEPTION 'there is no index yet'; END IF; END $$;`,
  )
  await migrateDatabase(database.db, { folder, largeTable: 1 })
  expect(await findOne("select to_regclass('fresh_id')::text as index")).toEqual({ index: 'fresh_id' })
})

test('the texts for searches of a large database are made after the migration, with their indexes', async () => {
  const name = `texts_${process.pid}`
  await database.executeSql(`create database ${name}`)
  const { port } = await findOne<{ port: string }>("select current_setting('port') as port")
  const large = openPostgres(`postgres://postgres:postgres@127.0.0.1:${port}/${name}`)
  try {
    const known = readMigrationFiles({ migrationsFolder: 'migrations' })
    const first = known.findIndex(({ sql }) => sql.some((statement) => statement.includes('CREATE TABLE "chat_texts"')))
    await migrateDatabase(large.db, { only: new Set(known.slice(0, first).map(({ hash }) => hash)) })
    await large.executeSql(`insert into chats (id, key, client_name, client_email, status)
      select n, 'k' || n, 'Zoé', 'zoe@example.com', case when n = 450 then 'claimed' else 'closed' end from generate_series(1, 450) n`)
    await large.executeSql(`insert into chat_messages (chat_id, seq, message, from_staff, user_name)
      select id, 1, 'Été ' || id, false, 'Zoé' from chats`)
    await large.executeSql(`insert into requests (reference, kind, status, name, email, message, language)
      select 'R-' || n, 'support', 'open', 'Zoé', 'zoe@example.com', 'Été ' || n, 'fr' from generate_series(1, 250) n`)
    await migrateDatabase(large.db, { largeTable: 1 })
    const { rows } = await large.executeSql(`select
      (select count(*)::int from chat_texts where text like 'zoe%ete ' || chat_id) as chats,
      (select count(*)::int from request_texts where text like 'r-%zoe%ete %') as requests,
      (select count(*)::int from pg_index where indisvalid and indexrelid in (to_regclass('chat_texts_trigrams'), to_regclass('request_texts_trigrams'))) as indexes,
      (select count(*)::int from pg_available_extensions where name = 'pg_trgm') as extensions,
      to_regclass('late_indexes') as left`)
    const found = rows[0] as { extensions: number }
    expect(found).toEqual({ chats: 449, requests: 250, indexes: 2 * found.extensions, extensions: found.extensions, left: null })
  } finally {
    await large.close()
    await database.executeSql(`drop database ${name}`)
  }
})
