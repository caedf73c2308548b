import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packFirstDatabase, unpackFirstDatabase } from './first-database.ts'
import { openPglite } from './pglite.ts'

const data = mkdtempSync(join(tmpdir(), 'guichet-first-database-'))
const archive = join(data, 'build/first-database.tar.gz')
afterAll(() => rmSync(data, { recursive: true, force: true }))

beforeAll(async () => {
  await packFirstDatabase(async (folder) => {
    const database = await openPglite(folder, { isDurable: false })
    await database.close()
  }, archive)
})

test('a first start takes the database of the build, which only its owner reads', async () => {
  const folder = join(data, 'first')
  mkdirSync(folder)
  // Of a start that was killed.
  mkdirSync(`${folder}-new`)
  writeFileSync(join(`${folder}-new`, 'half'), 'a file')
  await unpackFirstDatabase(folder, archive)
  expect(readdirSync(folder)).toContain('PG_VERSION')
  expect(readdirSync(data).toSorted()).toEqual(['build', 'first'])
  expect(statSync(folder).mode & 0o077).toBe(0)
  const database = await openPglite(folder)
  expect((await database.executeSql('select 1 as one')).rows).toEqual([{ one: 1 }])
  await database.close()
})

test('a folder with anything in it stays as it is', async () => {
  const folder = join(data, 'used')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a file'), 'of somebody')
  await unpackFirstDatabase(folder, archive)
  expect(readdirSync(folder)).toEqual(['a file'])
})

test.runIf(process.platform === 'linux')('an open database takes half of the memory that optimized code would', async () => {
  const folder = join(data, 'memory')
  mkdirSync(folder)
  await unpackFirstDatabase(folder, archive)
  const script = `
    import { readFileSync } from 'node:fs'
    const { openPglite } = await import(${JSON.stringify(join(import.meta.dirname, 'pglite.ts'))})
    const { executeSql } = await openPglite(process.argv[1], { isDurable: false })
    await executeSql('create table numbers as select n, md5(n::text) as text from generate_series(1, 100000) as n')
    for (let turn = 0; turn < 1500; turn += 1) await executeSql('select * from numbers where n = ' + turn + ' limit 1')
    // What V8 optimizes meanwhile is compiled beside the queries.
    for (let turn = 0; turn < 5; turn += 1) await executeSql('select n % 9, max(text) from numbers group by 1 order by 2')
    process.stdout.write(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    process.exit(0)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, folder], { encoding: 'utf8' })
  expect(Number(stdout)).toBeGreaterThan(100_000)
  expect(Number(stdout)).toBeLessThan(450_000)
})

/** What V8 needed for each function that it optimized while a database in this folder parsed SQL for long, in bytes. */
function measureOptimizing(folder: string) {
  const script = `
    import { openPglite } from ${JSON.stringify(join(import.meta.dirname, 'pglite.ts'))}
    const { executeSql, close } = await openPglite(${JSON.stringify(folder)}, { isDurable: false })
    for (let i = 0; i < 300; i += 1) await executeSql('select ' + '1, '.repeat(1_000) + '1')
    await close()`
  const flags = ['--wasm-sync-tier-up', '--trace-wasm-compilation-times', '--input-type=module']
  // Elsewhere no database of the build is found.
  const options = { encoding: 'utf8', maxBuffer: 2 ** 24, cwd: data } as const
  const { stdout, status } = spawnSync(process.execPath, [...flags, '-e', script], options)
  expect(status).toBe(0)
  return [...stdout.matchAll(/using TurboFan, took \d+ ms and (\d+)/g)].map(([, bytes]) => Number(bytes))
}

test('what runs often is optimized, in little memory', async () => {
  const folder = join(data, 'busy')
  mkdirSync(folder)
  await unpackFirstDatabase(folder, archive)
  const taken = measureOptimizing(folder)
  expect(taken.length).toBeGreaterThan(20)
  expect(Math.max(...taken)).toBeLessThan(100_000_000)
})

test('so it is in a process that made its database by itself', () => {
  const folder = join(data, 'made')
  mkdirSync(folder)
  expect(Math.max(...measureOptimizing(folder), 0)).toBeLessThan(100_000_000)
  expect(readdirSync(folder)).toContain('PG_VERSION')
})
