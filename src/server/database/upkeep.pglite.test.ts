import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from './database.ts'
import { openPglite } from './pglite.ts'
import { createUpkeep } from './upkeep.ts'

const words = ['zqvshort', 'zqvindexed', 'zqvlarge', 'zqvcommon', 'zqvblanked', 'zqvcascade', 'zqvlast', 'zqvaborted']
/** An empty database: making one takes seconds. */
const template = mkdtempSync(join(tmpdir(), 'guichet-upkeep-template-'))
let data: string
let folder: string
let database: OpenDatabase

beforeAll(async () => {
  await (await openPglite(template)).close()
})
afterAll(() => rmSync(template, { recursive: true, force: true }))
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'guichet-upkeep-'))
  folder = join(data, 'database')
  cpSync(template, folder, { recursive: true })
  database = await openPglite(folder)
})
afterEach(async () => {
  await database.close()
  rmSync(data, { recursive: true, force: true })
})

const run = (sql: string) => database.executeSql(sql)
const one = async (sql: string) => Object.values((await run(sql)).rows[0] as Record<string, unknown>)[0]

/** Files of the database with a planted word, as `grep` would find it. */
function findInFiles(wanted = words) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name))
    return wanted.filter((word) => bytes.includes(word)).map((word) => `${name}: ${word}`)
  })
}
const findWords = () => [...new Set(findInFiles().map((found) => found.split(': ')[1]))].toSorted()

async function plant() {
  await run(`
    create table person (id int primary key, name text, note text);
    create index on person (name);
    create index on person (lower(note)) where note like 'zqvlast%';
    create table file (id int primary key, person_id int references person on delete cascade, content text);
    create table emptied (name text);
    create table parted (id int, name text) partition by range (id);
    create table parted_1 partition of parted for values from (0) to (1000);
    create table kept (id int primary key, name text);
    create table number (id int primary key, value int)`)
  await run(`
    insert into person select i, 'zqvindexed' || i, case when i < 50 then 'zqvshort' else 'zqvlast' end
      from generate_series(1, 400) i;
    insert into file select i, i, 'zqvcascade' || (select string_agg('zqvlarge' || md5((i * k)::text), '')
      from generate_series(1, 2500) k) from generate_series(1, 3) i;
    insert into emptied select 'zqvcommon' from generate_series(1, 100);
    insert into parted select i, 'zqvcommon' from generate_series(1, 100) i;
    insert into kept select i, case when i = 1 then 'zqvblanked' else 'stays' end from generate_series(1, 100) i;
    insert into number select i, i from generate_series(1, 100) i`)
  const aborted = run(`begin; insert into kept values (1000, 'zqvaborted'); insert into kept values (1, 'twice'); commit`)
  await expect(aborted).rejects.toThrow('duplicate key')
  // Their values get into the statistics of the columns.
  await run('analyze')
  await run('checkpoint')
}

async function erase() {
  await run(`
    delete from person;
    delete from emptied;
    delete from parted;
    update kept set name = '' where name = 'zqvblanked'`)
}

test('no file of the database has a deleted word after the night', { timeout: 240_000 }, async () => {
  await plant()
  expect(findWords()).toEqual(words.toSorted())
  await erase()
  await run('checkpoint')
  expect(findWords()).toEqual(words.toSorted())
  await createUpkeep(database, data).run()
  expect(findInFiles()).toEqual([])
  expect(await one('select count(*)::int from kept')).toBe(100)
})

test('what was deleted before a restart goes too', async () => {
  await plant()
  await createUpkeep(database, data).run()
  await erase()
  await database.close()
  database = await openPglite(folder)
  await createUpkeep(database, data).run()
  expect(findInFiles()).toEqual([])
})

test('only tables that changed are rewritten again', async () => {
  await plant()
  const upkeep = createUpkeep(database, data)
  const rewritten = async () => {
    await upkeep.run()
    return upkeep.find().last?.tables
  }
  // All with texts, and not the one of numbers.
  expect(await rewritten()).toBe(5)
  expect(await rewritten()).toBe(0)
  await run('insert into person values (1000, null, null)')
  await run('delete from number')
  expect(await rewritten()).toBe(0)
  await run('delete from person where id = 400')
  expect(await rewritten()).toBe(1)
  // Its files go with the person.
  await run('delete from person where id = 1')
  expect(await rewritten()).toBe(2)
  expect(findInFiles(['zqvindexed400'])).toEqual([])
})

test('others write between two rewritings', async () => {
  await plant()
  const events: string[] = []
  const executeSql: OpenDatabase['executeSql'] = async (text, values) => {
    const result = await database.executeSql(text, values)
    if (text.startsWith('vacuum full')) events.push('rewritten')
    return result
  }
  const upkeep = createUpkeep({ executeSql }, data)
  const night = { isOver: false }
  const running = upkeep.run().finally(() => (night.isOver = true))
  while (!night.isOver) {
    await run('insert into number select max(id) + 1 from number')
    events.push('written')
  }
  await running
  const order = events.join(' ')
  // Five tables, and that of the statistics.
  expect(events.filter((event) => event === 'rewritten')).toHaveLength(6)
  expect(order).not.toContain('rewritten rewritten')
  expect(upkeep.find().last).toMatchObject({ tables: 5, failed: [] })
})

test('a table that does not fit on the disk is named, and rewritten once there is space', async () => {
  await plant()
  await erase()
  const disk = { free: 64 * 2 ** 20 }
  const upkeep = createUpkeep({ ...database, findFreeBytes: () => disk.free }, data)
  await expect(upkeep.run()).rejects.toThrow('public.person')
  expect(upkeep.find().last?.failed).toContain('public.person')
  disk.free = 2 ** 40
  await upkeep.run()
  expect(upkeep.find().last?.failed).toEqual([])
  expect(findInFiles()).toEqual([])
})

test('a night that the end of the process interrupts counts as none', async () => {
  await plant()
  const state = { isClosing: false }
  const executeSql: OpenDatabase['executeSql'] = async (text, values) => {
    state.isClosing ||= text.startsWith('vacuum full')
    if (state.isClosing) throw new Error('the embedded database is closing')
    return database.executeSql(text, values)
  }
  const upkeep = createUpkeep({ executeSql }, data)
  upkeep.recordStart()
  await expect(upkeep.run()).rejects.toThrow('closing')
  expect(upkeep.find()).toEqual({ since: expect.any(String) as string, last: null })
})

test('what a killed process left beside the tables is removed at the start', async () => {
  await run("create table kept as select 'stays' as name")
  const base = join(folder, 'base')
  const own = join(base, String(await one('select oid from pg_database where datname = current_database()')))
  await database.close()
  mkdirSync(join(base, 'pgsql_tmp'), { recursive: true })
  const left = [join(own, '99999'), join(own, '99999.1'), join(own, '99999_fsm'), join(base, 'pgsql_tmp', 'pgsql_tmp1.0')]
  for (const file of left) writeFileSync(file, 'zqvshort')
  expect(findInFiles()).toHaveLength(left.length)
  database = await openPglite(folder)
  expect(findInFiles()).toEqual([])
  expect(await one('select name from kept')).toBe('stays')
})

test('the nightly work keeps the size of a changing table and of the log bounded', async () => {
  const upkeep = createUpkeep(database, data)
  await run('create table "Two words" (id int primary key, day int, name text)')
  // Its copy leaves three hundred dead rows in the catalog.
  await run(`create table wide (name text, ${Array.from({ length: 299 }, (_, index) => `c${index} int`).join(', ')})`)
  await run("insert into wide values ('stays')")
  await run(`insert into "Two words" select i, 0, 'stays' from generate_series(1, 2000) as i`)
  const first = Number(await one(`select pg_total_relation_size('"Two words"')`))
  const measureCatalog = async () => Number(await one("select pg_relation_size('pg_attribute')"))
  let catalog = 0
  for (let day = 1; day <= 8; day += 1) {
    await run(`update "Two words" set day = ${day}, id = id + 10000`)
    await run("update wide set name = 'stays'")
    await upkeep.run()
    if (day === 4) catalog = await measureCatalog()
  }
  expect(Number(await one(`select pg_total_relation_size('"Two words"')`))).toBeLessThan(first * 2)
  expect(await measureCatalog()).toBeLessThanOrEqual(catalog)
  expect(await one(`select count(*)::int from pg_stats where tablename = 'Two words'`)).toBe(3)
  const logBytes = await one('select (pg_current_wal_lsn() - redo_lsn)::float8 from pg_control_checkpoint()')
  expect(Number(logBytes)).toBeLessThan(100_000)
  expect(readdirSync(join(folder, 'pg_wal')).filter((name) => /^[\dA-F]{24}$/.test(name)).length).toBeLessThanOrEqual(2)
})
