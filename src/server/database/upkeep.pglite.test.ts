import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from './database.ts'
import { openPglite } from './pglite.ts'
import { createUpkeep } from './upkeep.ts'

const data = mkdtempSync(join(tmpdir(), 'guichet-upkeep-'))
let database: OpenDatabase

beforeAll(async () => {
  database = await openPglite(data)
})
afterAll(async () => {
  await database.close()
  rmSync(data, { recursive: true, force: true })
})

test('the nightly vacuum keeps the size of a changing table bounded', async () => {
  const one = async (sql: string) => Object.values((await database.executeSql(sql)).rows[0] as Record<string, unknown>)[0]
  await database.executeSql('create table "Two words" (id int primary key, day int)')
  await database.executeSql('insert into "Two words" select i, 0 from generate_series(1, 2000) as i')
  const first = Number(await one(`select pg_total_relation_size('"Two words"')`))
  const keepUp = createUpkeep(database)
  for (let day = 1; day <= 8; day += 1) {
    await database.executeSql(`update "Two words" set day = ${day}, id = id + 10000`)
    await keepUp()
  }
  expect(Number(await one(`select pg_total_relation_size('"Two words"')`))).toBeLessThan(first * 4)
  expect(await one(`select count(*)::int from pg_stats where tablename = 'Two words'`)).toBe(2)
  const logBytes = await one('select (pg_current_wal_lsn() - redo_lsn)::float8 from pg_control_checkpoint()')
  expect(Number(logBytes)).toBeLessThan(100_000)
})

/** The files of the database that hold one of these words. */
const filesWith = (words: readonly string[]) =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path)
      return words.some((word) => bytes.includes(word))
    })

test('a night leaves nothing of what was deleted or changed in any file of the database, its log included (R-385)', async () => {
  const run = (sql: string) => database.executeSql(sql)
  // In an index, in the statistics of a column, and too long for a row.
  await run('create table planted (id serial primary key, name text, long text)')
  await run('alter table planted alter long set storage external')
  await run('create index planted_name on planted (name)')
  await run(
    `insert into planted (name, long) select 'PlantedName' || n % 5, repeat('PlantedLong' || n || ' ', 1000) from generate_series(1, 300) n`,
  )
  await run(`create table changed (id int primary key, name text)`)
  await run(`insert into changed values (1, 'PlantedChange')`)
  const words = ['PlantedName', 'PlantedLong', 'PlantedChange']
  const keepUp = createUpkeep(database)
  await keepUp()
  expect(filesWith(words).length).toBeGreaterThan(3)
  await run('delete from planted where id <> 7')
  await run(`update planted set name = 'left', long = 'left'`)
  await run(`update changed set name = ''`)
  expect(filesWith(words).length).toBeGreaterThan(3)
  expect(await keepUp()).toMatchObject({ failed: [], rewritten: expect.any(Number) as number })
  expect(filesWith(words)).toEqual([])
  expect(filesWith(['left']).length).toBeGreaterThan(0)
})

test('a table that did not change is not rewritten again, and others are answered between two tables', async () => {
  const keepUp = createUpkeep(database)
  // Statistics are those of this process: all tables come first.
  expect((await keepUp()).rewritten).toBeGreaterThan(2)
  expect((await keepUp()).rewritten).toBe(0)
  await database.executeSql('update changed set id = 2')
  const answered: string[] = []
  const night = keepUp().then((done) => answered.push(`night ${done.rewritten}`))
  const write = database.executeSql('insert into changed (id) values (3)').then(() => answered.push('write'))
  await Promise.all([night, write])
  expect(answered).toEqual(['write', 'night 1'])
})

test('a table that cannot be rewritten is named, and the others are', async () => {
  const statements: string[] = []
  const executeSql: OpenDatabase['executeSql'] = async (text, values) => {
    statements.push(text)
    if (text === 'vacuum full public.changed') throw new Error('no space left on device')
    return database.executeSql(text, values)
  }
  const done = await createUpkeep({ executeSql })()
  expect(done.failed).toEqual(['public.changed'])
  expect(done.rewritten).toBeGreaterThan(1)
  expect(statements.at(-1)).toBe('checkpoint')
})
