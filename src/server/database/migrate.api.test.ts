import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from './database.ts'
import { prepareDatabase } from '../secrets/bind-secret.ts'
import { migrateDatabase, refuseNewerDatabase } from './migrate.ts'
import { openTestDatabase } from '../testing/test-database.ts'

let work: string
let database: OpenDatabase
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'guichet-migrations-'))
  database = await openTestDatabase()
})
afterAll(async () => {
  await database.close()
  rmSync(work, { recursive: true, force: true })
})

/** A folder of migrations as drizzle-kit writes them. */
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

async function findNumber(db: OpenDatabase['db'], query: SQL) {
  const { rows } = (await db.execute(query)) as { rows: Record<string, unknown>[] }
  return Number(rows[0]?.n)
}

const count = (table: string) => findNumber(database.db, sql.raw(`select count(*) as n from ${table}`))
const countTables = (name: string) => findNumber(database.db, sql`select count(*) as n from pg_tables where tablename = ${name}`)

describe('migrations', () => {
  test('run once, however often the product starts', async () => {
    const before = await count('migrations')
    await migrateDatabase(database.db)
    expect(await count('migrations')).toBe(before)
  })

  test('that fail leave nothing behind, and all run at the next start', async () => {
    const first = 'create table half_way (id int);\n--> statement-breakpoint\ninsert into half_way values (1);'
    await expect(
      migrateDatabase(database.db, { folder: writeMigrations('broken', [first, 'create table other (id nothing);']) }),
    ).rejects.toThrow()
    expect(await countTables('half_way')).toBe(0)
    await migrateDatabase(database.db, { folder: writeMigrations('mended', [first, 'create table other (id int);']) })
    expect(await count('half_way')).toBe(1)
    expect(await countTables('other')).toBe(1)
  })

  test('run once in two concurrent starts', async () => {
    const folder = writeMigrations('twice', [
      'create table at_once (id int);\n--> statement-breakpoint\ninsert into at_once values (1);',
    ])
    await Promise.all([migrateDatabase(database.db, { folder }), migrateDatabase(database.db, { folder })])
    expect(await count('at_once')).toBe(1)
  })
})

test('a database that a newer version has migrated is refused, and stays as it is', async () => {
  const newer = await openTestDatabase()
  await refuseNewerDatabase(newer.db)
  await newer.db.execute(sql`insert into migrations (hash) values (${'f'.repeat(64)})`)
  await expect(prepareDatabase(newer.db, { secret: 'x'.repeat(32) })).rejects.toThrow(/newer version of Guichet.+backup/)
  await newer.close()
})

test('every foreign key has an index, or deleting what it refers to reads the whole table', async () => {
  const { rows } = (await database.db.execute(sql`
    select conrelid::regclass::text as "table", array_agg(attname::text) as columns
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and not exists (
      select 1 from pg_index where indrelid = conrelid and indpred is null and indisvalid
        and (indkey::int2[])[0:array_length(conkey, 1) - 1] @> conkey
    )
    group by pg_constraint.oid, conrelid`)) as { rows: unknown[] }
  expect(rows).toEqual([])
})
