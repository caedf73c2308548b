import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/test-database.ts'
import type { OpenDatabase } from './database.ts'
import { migrateDatabase } from './migrate.ts'

let work: string
let database: OpenDatabase
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'guichet-split-'))
  database = await openTestDatabase()
  await database.executeSql(`create table large (id int primary key, name text); create table other (id int primary key);
    insert into large select n, 'name ' || n from generate_series(1, 500) n; insert into other values (1)`)
})
afterAll(async () => {
  await database.close()
  rmSync(work, { recursive: true, force: true })
})

function writeMigrations(name: string, files: string[]) {
  const folder = join(work, name)
  mkdirSync(join(folder, 'meta'), { recursive: true })
  const entries = files.map((content, idx) => {
    writeFileSync(join(folder, `${idx}.sql`), content)
    return { idx, version: '7', when: 1_700_000_000_000 + idx, tag: String(idx), breakpoints: true }
  })
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  return folder
}

const migrate = (folder: string) => migrateDatabase(database.db, { folder, largeTable: 1 })
const findOne = async (query: string) => (await database.executeSql(query)).rows[0] as Record<string, unknown>
const isColumn = async (table: string, name: string) =>
  (
    await findOne(
      `select exists (select from information_schema.columns where table_name = '${table}' and column_name = '${name}') as found`,
    )
  ).found

/** Throws where the statement would wait. */
const runAtOnce = (statement: string) => database.executeSql(`begin; set local lock_timeout to 2000; ${statement}; commit`)

test('a migration that waits for one table holds up no write, neither of that table nor of those before it', async () => {
  const folder = writeMigrations('waits', [
    'ALTER TABLE "large" ADD COLUMN "note" text;',
    'ALTER TABLE "other" ADD COLUMN "note" text;',
  ])
  let migration: Promise<void> | undefined
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`select * from other`)
    migration = migrate(folder)
    await expect.poll(() => isColumn('large', 'note'), { timeout: 20_000 }).toBe(true)
    await runAtOnce(`insert into large (id) values (601)`)
    await runAtOnce(`insert into other values (2)`)
    expect(await isColumn('other', 'note')).toBe(false)
  })
  await migration
  expect(await isColumn('other', 'note')).toBe(true)
})

test('a start goes on where one before it failed', async () => {
  const first = 'CREATE TABLE "counted" ("id" int);--> statement-breakpoint\nINSERT INTO "counted" VALUES (1);'
  const second = 'ALTER TABLE "large" ADD COLUMN "half" text;--> statement-breakpoint\n'
  await expect(migrate(writeMigrations('broken', [first, `${second}ALTER TABLE "none" ADD COLUMN "a" text;`]))).rejects.toThrow()
  expect(await isColumn('large', 'half')).toBe(false)
  await migrate(writeMigrations('mended', [first, `${second}ALTER TABLE "other" ADD COLUMN "half" text;`]))
  expect(await findOne('select count(*)::int as n from counted')).toEqual({ n: 1 })
  expect([await isColumn('large', 'half'), await isColumn('other', 'half')]).toEqual([true, true])
})

test('a large table is written while its new references and unique values are checked', async () => {
  const folder = writeMigrations('constraints', [
    `ALTER TABLE "large" ADD COLUMN "other_id" int;--> statement-breakpoint
    ALTER TABLE "large" ADD CONSTRAINT "large_other" FOREIGN KEY ("other_id") REFERENCES "public"."other"("id") ON DELETE set null;--> statement-breakpoint
    ALTER TABLE "large" ADD CONSTRAINT "large_unique" UNIQUE("name");`,
    `DO $$ BEGIN IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'large_unique')
      OR NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'large_other' AND NOT convalidated)
      THEN RAISE EXCEPTION 'checked while writes wait'; END IF; END $$;`,
  ])
  await database.executeSql(`insert into large (id, name) values (701, 'meanwhile')`)
  await migrate(folder)
  expect(
    (
      await database.executeSql(`select conname as name, convalidated as valid from pg_constraint
      where conname in ('large_other', 'large_unique') order by conname`)
    ).rows,
  ).toEqual([
    { name: 'large_other', valid: true },
    { name: 'large_unique', valid: true },
  ])
  await expect(database.executeSql(`insert into large (id, name) values (703, 'meanwhile')`)).rejects.toThrow(/large_unique/)
  await expect(database.executeSql(`insert into large (id, other_id) values (704, 99)`)).rejects.toThrow(/large_other/)
  await migrate(folder)
})

test('rows that others write while a migration copies them wait for it, and are in neither or both', async () => {
  const folder = writeMigrations('copies', [
    `CREATE TABLE "copied" ("id" int);--> statement-breakpoint
    INSERT INTO "copied" SELECT "id" FROM "large";--> statement-breakpoint
    DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_locks WHERE relation = 'large'::regclass AND mode = 'ShareRowExclusiveLock' AND granted)
      THEN RAISE EXCEPTION 'rows could be missed'; END IF; END $$;`,
  ])
  await migrate(folder)
  expect(await findOne('select count(*)::int - (select count(*)::int from large) as n from copied')).toEqual({ n: 0 })
})
