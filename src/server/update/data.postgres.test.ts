import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from '../database/database.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { workOnData } from './data.ts'
import { nameTrialDatabase } from './places.ts'
import { noteServing } from './quiet.ts'

let database: OpenDatabase
let [dataDir, databaseUrl] = ['', '']
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'guichet-data-'))
  database = await openTestDatabase()
  const { rows } = await database.executeSql(
    `select 'postgres://postgres:postgres@127.0.0.1:' || current_setting('port') || '/' || current_database() as url`,
  )
  databaseUrl = (rows[0] as { url: string }).url
  await add('before@example.com')
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

const add = (email: string) => database.executeSql('insert into request_blocks (email) values ($1)', [email])
const work = (kind: Parameters<typeof workOnData>[0], url = databaseUrl) =>
  workOnData(kind, {
    root: process.cwd(),
    owner: {},
    environment: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: url, SESSION_SECRET: 's'.repeat(32) },
  })

async function query<Row>(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}
const emailsIn = async (url: string) => {
  const rows = await query<{ email: string }>(url, 'select email from request_blocks order by email')
  return rows.map(({ email }) => email)
}

/** As a new version that migrates the data and then fails. */
const migrate = () =>
  query(
    databaseUrl,
    `create type colour as enum ('red'); create table newer (id serial primary key, colour colour, email text references request_blocks);
    create function newer() returns int language sql return 1; create schema if not exists queue;
    alter table request_blocks add column colour colour; insert into migrations (hash) values ('newer')`,
  )

test('the data is as it was before a version migrated it, and the schema with it', { timeout: 120_000 }, async () => {
  const findObjects = () =>
    query(databaseUrl, `select relname, relkind from pg_class where relnamespace = 'public'::regnamespace order by 1, 2`)
  const before = await findObjects()
  await work('copy')
  await migrate()
  expect(await work('restore')).toBe(false)
  expect(await emailsIn(databaseUrl)).toEqual(['before@example.com'])
  expect(await findObjects()).toEqual(before)
  expect(await query(databaseUrl, `select hash from migrations where hash = 'newer'`)).toEqual([])
  // Killed in its middle, it is done again.
  expect(await work('restore')).toBe(false)
  expect(await emailsIn(databaseUrl)).toEqual(['before@example.com'])
  await work('discard')
  expect(existsSync(join(dataDir, 'before-update'))).toBe(false)
})

test('what a version was sent before the data was put back is kept in an archive', { timeout: 120_000 }, async () => {
  await work('copy')
  noteServing({ dataDir })
  await add('late@example.com')
  const replaced = await work('restore')
  expect(readdirSync(join(dataDir, 'backups')).map((name) => join(dataDir, 'backups', name))).toEqual([replaced])
  expect(await emailsIn(databaseUrl)).toEqual(['before@example.com'])
})

test('a trial has a database of its own, which is removed with all that it left', { timeout: 120_000 }, async () => {
  const { name, address } = nameTrialDatabase(databaseUrl)
  mkdirSync(join(dataDir, 'rehearsal'))
  writeFileSync(join(dataDir, 'rehearsal', 'left'), 'of a killed one')
  expect(await work('rehearse')).toBe(true)
  expect(await emailsIn(address)).toEqual(['before@example.com'])
  expect(readdirSync(join(dataDir, 'rehearsal'))).not.toContain('left')
  // Killed, it begins anew.
  expect(await work('rehearse')).toBe(true)
  await work('end-rehearsal')
  expect(await query(databaseUrl, `select from pg_database where datname = '${name}'`)).toEqual([])
})

test('a role that may not create databases has no trial on a copy', { timeout: 120_000 }, async () => {
  const role = `limited_${process.pid}`
  await query(databaseUrl, `create role ${role} login password 'limited' nocreatedb`)
  try {
    const url = new URL(databaseUrl)
    url.username = role
    url.password = 'limited'
    expect(await work('rehearse', url.href)).toBe(false)
  } finally {
    await query(databaseUrl, `drop role ${role}`)
  }
})
