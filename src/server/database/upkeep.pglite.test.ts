import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from './database.ts'
import { openPglite } from './pglite.ts'
import { sweepDeadRows } from './upkeep.ts'

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
  for (let day = 1; day <= 8; day += 1) {
    await database.executeSql(`update "Two words" set day = ${day}, id = id + 10000`)
    await sweepDeadRows(database)
  }
  expect(Number(await one(`select pg_total_relation_size('"Two words"')`))).toBeLessThan(first * 4)
  expect(await one(`select count(*)::int from pg_stats where tablename = 'Two words'`)).toBe(2)
  const logBytes = await one('select (pg_current_wal_lsn() - redo_lsn)::float8 from pg_control_checkpoint()')
  expect(Number(logBytes)).toBeLessThan(100_000)
})
