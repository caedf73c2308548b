import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { workOnData } from './data.ts'
import { noteServing } from './quiet.ts'

let [template, dataDir] = ['', '']
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'guichet-data-'))
  const database = await openDatabase({ dataDir: template, databaseUrl: undefined })
  await database.executeSql(`create table request_blocks (id serial primary key, email text)`)
  await database.executeSql(`insert into request_blocks (email) values ('before@example.com')`)
  await database.close()
})
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'guichet-data-'))
  cpSync(template, dataDir, { recursive: true })
})
afterEach(() => rmSync(dataDir, { recursive: true }))
afterAll(() => rmSync(template, { recursive: true }))

const work = (kind: Parameters<typeof workOnData>[0]) =>
  workOnData(kind, {
    root: process.cwd(),
    owner: {},
    environment: { ...process.env, DATA_DIR: dataDir, SESSION_SECRET: 's'.repeat(32) },
  })

async function run(statement: string, folder = dataDir) {
  const database = await openDatabase({ dataDir: folder, databaseUrl: undefined })
  try {
    return (await database.executeSql(statement)).rows as { email: string }[]
  } finally {
    await database.close()
  }
}
const find = async (folder?: string) => (await run('select email from request_blocks', folder)).map(({ email }) => email)

test('the data is as it was before a version changed it, however often it is put back', async () => {
  await work('copy')
  await run('alter table request_blocks rename column email to address')
  expect(await work('restore')).toBe(false)
  expect(await find()).toEqual(['before@example.com'])
  await run(`insert into request_blocks (email) values ('after@example.com')`)
  // Killed after it: what was sent since stays.
  expect(await work('restore')).toBe(false)
  expect(await find()).toEqual(['before@example.com', 'after@example.com'])
  await work('discard')
  expect(existsSync(join(dataDir, 'before-update'))).toBe(false)
})

test('what a version was sent before the data was put back is kept', async () => {
  await work('copy')
  await run(`insert into request_blocks (email) values ('late@example.com')`)
  noteServing({ dataDir })
  const replaced = String(await work('restore'))
  expect(readdirSync(join(dataDir, 'backups')).map((name) => join(dataDir, 'backups', name))).toEqual([replaced])
  expect(readdirSync(replaced)).toContain('PG_VERSION')
  expect(await find()).toEqual(['before@example.com'])
})

test('a trial has a copy of its own, also while the product runs', async () => {
  const database = await openDatabase({ dataDir, databaseUrl: undefined })
  await database.executeSql(`insert into request_blocks (email) values ('open@example.com')`)
  expect(await work('rehearse')).toBe(true)
  await database.close()
  const rehearsal = join(dataDir, 'rehearsal')
  expect(await find(rehearsal)).toEqual(['before@example.com', 'open@example.com'])
  await work('end-rehearsal')
  expect(existsSync(rehearsal)).toBe(false)
})
