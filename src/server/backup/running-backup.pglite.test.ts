import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { readConfig } from '../config.ts'
import type { OpenDatabase } from '../database/database.ts'
import { openDatabase } from '../database/database.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { backUp, restore } from './commands.ts'
import { writeRunningBackup } from './running-backup.ts'

let folder: string
let config: Config
let database: OpenDatabase
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-running-'))
  config = configOf('product')
  database = await openDatabase(config)
  await migrateDatabase(database.db)
}, 120_000)
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const configOf = (name: string) => readConfig({ NODE_ENV: 'test', DATA_DIR: join(folder, name) })

/** Each transaction moves on both sides; a copy of several moments would hold different numbers. */
async function writePair(count: number) {
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into networks (name) values (${`${count} ${'réseau '.repeat(200)}`})`)
    await tx.execute(sql`insert into notes (note_date, note) values ('2026-11-23', ${String(count)})`)
  })
}

async function countPairs(name: string) {
  const copy = await openDatabase(configOf(name))
  const { rows } = (await copy.db.execute(
    sql`select (select count(*)::int from networks) as networks, (select count(*)::int from notes) as notes`,
  )) as { rows: { networks: number; notes: number }[] }
  await copy.close()
  return rows[0]
}

test('the product writes on while it is backed up, and the copy is of one moment', { timeout: 240_000 }, async () => {
  for (let count = 0; count < 50; count += 1) await writePair(count)
  const file = join(folder, 'whole.tar.gz')
  let isDone = false
  const backup = writeRunningBackup(config, { file, files: true }).finally(() => (isDone = true))
  let written = 50
  let meanwhile = 0
  // oxlint-disable-next-line no-unmodified-loop-condition -- set when the backup ends
  while (!isDone) {
    await writePair(written)
    written += 1
    if (!isDone) meanwhile += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await backup
  expect(meanwhile).toBeGreaterThan(0)

  await restore(configOf('restored'), file)
  const pairs = await countPairs('restored')
  expect(pairs?.networks).toBe(pairs?.notes)
  expect(pairs?.networks).toBeGreaterThanOrEqual(50)
  expect(pairs?.networks).toBeLessThanOrEqual(written)
  expect(readdirSync(config.dataDir).toSorted()).toEqual(['database', 'session-secret'])
})

test('a backup removes what an interrupted one left', { timeout: 240_000 }, async () => {
  mkdirSync(join(config.dataDir, 'dump', 'tables'), { recursive: true })
  writeFileSync(join(config.dataDir, 'dump', 'tables', 'gone.ndjson'), '{}\n')
  mkdirSync(join(config.dataDir, 'database-copy'))
  writeFileSync(join(config.dataDir, 'database-copy', 'PG_VERSION'), 'half')
  mkdirSync(join(config.dataDir, 'backups'))
  const other = join(config.dataDir, 'backups', 'night-2026-01-01T02-30-00.tar.gz.part')
  writeFileSync(other, 'half')
  const file = join(config.dataDir, 'backups', 'whole.tar.gz')
  const first = writeRunningBackup(config, { file, files: true })
  await expect(writeRunningBackup(config, { file, files: true })).rejects.toThrow('Another backup is being written')
  const manifest = await first
  expect(manifest.tables.map(({ name }) => name)).not.toContain('gone')
  expect(existsSync(other)).toBe(false)
  expect(readdirSync(config.dataDir).toSorted()).toEqual(['backups', 'database', 'session-secret'])
})

test('a backup that cannot be written names the file, and leaves the former one', { timeout: 240_000 }, async () => {
  writeFileSync(join(folder, 'file'), 'former')
  await expect(writeRunningBackup(config, { file: join(folder, 'file', 'whole.tar.gz'), files: false })).rejects.toThrow(
    /^E(EXIST|NOTDIR): .*file/,
  )
  expect(readdirSync(config.dataDir)).not.toContain('database-copy')
  expect(readdirSync(config.dataDir)).not.toContain('dump')
})

test('a full disk is named in one sentence, and nothing is left', { timeout: 240_000 }, async () => {
  const target = join(folder, 'elsewhere')
  mkdirSync(target)
  const file = join(target, 'whole.tgz')
  // Each write to this device fails as one to a full disk.
  symlinkSync('/dev/full', `${file}.part`)
  await expect(writeRunningBackup(config, { file, files: false })).rejects.toThrow(
    /^The disk is full \(.*whole\.tgz\): [^\n]+\.$/,
  )
  expect(readdirSync(target)).toEqual([])
  expect(readdirSync(config.dataDir)).not.toContain('database-copy')
  expect(readdirSync(config.dataDir)).not.toContain('dump')
})

test.each([
  ['before the first line', []],
  ['between two lines', ['{"done":64,"total":null}', '']],
  ['within a line', ['{"done":64,"total":null}', '{"done":1']],
])('a server killed %s gives one sentence with what to do', { timeout: 240_000 }, async (_when, lines) => {
  const server = createServer((_request, response) => {
    if (lines.length === 0) response.destroy()
    else response.write(lines.join('\n'), () => setImmediate(() => response.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await expect(backUp({ ...config, port }, join(folder, 'killed.tar.gz'))).rejects.toThrow(
    /^The server at http:\S+ stopped before the backup was written: .+ repeat the command\.$/,
  )
  server.close()
})

test('a sandbox that refuses the backup a priority of its own does not end it', { timeout: 120_000 }, async () => {
  const refuse = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.setPriority = () => { throw Object.assign(new Error('A system error occurred: uv_os_setpriority returned EPERM'), { code: 'ERR_SYSTEM_ERROR' }) }
    syncBuiltinESMExports()`
  const before = process.env.NODE_OPTIONS
  // The writer is a process of its own, which takes them from the environment.
  process.env.NODE_OPTIONS = `${before ?? ''} --import=data:text/javascript,${encodeURIComponent(refuse)}`
  const file = join(folder, 'refused.tar.gz')
  try {
    await writeRunningBackup(config, { file, files: false })
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = before
  }
  expect(existsSync(file)).toBe(true)
})
