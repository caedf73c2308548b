import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from './config.ts'
import { explainDatabase, openDatabase } from './database/database.ts'
import { isFolderLocked } from './database/folder-lock.ts'
import { explainFailedOpening } from './database/pglite.ts'
import { explainFailure } from './failures.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-start-'))
  writeFileSync(join(folder, 'file'), '')
  for (const name of ['incomplete', 'damaged']) {
    mkdirSync(join(folder, name, 'database/global'), { recursive: true })
    writeFileSync(join(folder, name, 'database/global/pg_control'), 'x')
  }
  writeFileSync(join(folder, 'damaged/database/PG_VERSION'), '18\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** As the start does it. */
async function explainStart(environment: Record<string, string>) {
  try {
    const database = await openDatabase(readConfig({ NODE_ENV: 'test', DATA_DIR: join(folder, 'data'), ...environment }))
    await database.close()
    return null
  } catch (error) {
    return explainFailure(error)
  }
}

const listen = (port: number, host: string) =>
  new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, host, () => resolve(server))
  })

describe('a start that fails names the cause in both languages:', () => {
  test.each([
    ['an unknown level of the log', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL n’est pas valide\s: il faut/, /^LOG_LEVEL is not valid/],
    ['a file as data folder', { DATA_DIR: 'file' }, /il faut un dossier/, /leads through a file/],
    ['a folder below a file', { DATA_DIR: 'file/data' }, /il faut un dossier/, /leads through a file/],
    ['Redis without PostgreSQL', { REDIS_URL: 'redis://127.0.0.1:1' }, /^REDIS_URL demande/, /^REDIS_URL needs DATABASE_URL/],
    ['a database without its version', { DATA_DIR: 'incomplete' }, /endommagée.+restore/, /is damaged.+restore/],
    ['a damaged database', { DATA_DIR: 'damaged' }, /endommagée.+restore/, /is damaged.+restore/],
  ])('%s', async (_what, { DATA_DIR, ...others }: Record<string, string>, french, english) => {
    const given = { ...others, ...(DATA_DIR && { DATA_DIR: join(folder, DATA_DIR) }) }
    expect(await explainStart(given)).toEqual({
      fr: expect.stringMatching(french) as string,
      en: expect.stringMatching(english) as string,
    })
  })

  test('a folder that the system does not let anybody make', async () => {
    if (process.platform !== 'linux') return
    expect((await explainStart({ DATA_DIR: '/proc/nothing/here' }))?.en).toMatch(/cannot be created/)
  })

  test('a PostgreSQL that does not respond, without the password', async () => {
    const url = 'postgres://someone:hidden-word@127.0.0.1:1/name'
    const error: unknown = await new pg.Client(url).connect().catch((reason: unknown) => reason)
    const explained = explainDatabase(error, url)
    expect(explained.reason).toBe('unreachable')
    expect(explained.texts.fr).toMatch(/PostgreSQL ne répond pas à 127\.0\.0\.1:1 \(ECONNREFUSED\)/)
    expect(explained.texts.en).toMatch(/PostgreSQL does not respond at 127\.0\.0\.1:1 \(ECONNREFUSED\)/)
    expect(JSON.stringify(explained.texts)).not.toContain('hidden-word')
  })

  test('a port that is taken, with who holds it, and an address of another machine', async () => {
    const server = await listen(0, '127.0.0.1')
    const { port } = server.address() as AddressInfo
    const inUse = explainFailure(await listen(port, '127.0.0.1').catch((error: unknown) => error))
    server.close()
    expect(inUse?.en).toMatch(
      process.platform === 'linux'
        ? new RegExp(`^Port ${port} of 127.0.0.1 is already used by .+\\(PID ${process.pid}\\)`)
        : /already used/,
    )
    expect(inUse?.fr).toMatch(/est déjà utilisé.+choisissez un autre PORT/)
    expect(explainFailure(await listen(0, '203.0.113.7').catch((error: unknown) => error))?.en).toMatch(
      /is not an address of this machine/,
    )
  })
})

test('the process ends with one sentence in each language, and the cause in the log alone', () => {
  const env = { PATH: process.env.PATH, NODE_ENV: 'test', DATA_DIR: join(folder, 'process'), LOG_LEVEL: 'loud' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/main.ts'], { env, encoding: 'utf8' })
  expect({ status, lines: stderr.split('\n').length }).toEqual({ status: 1, lines: 3 })
  expect(stderr).toMatch(/^LOG_LEVEL n’est pas valide.+\nLOG_LEVEL is not valid.+\n$/)
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'the start failed', err: { stack: expect.stringContaining('at ') as string } })
}, 120_000)

describe('an embedded database that does not open', () => {
  const explain = (name: string, cause: unknown, freeBytes?: number) =>
    explainFailure(explainFailedOpening(join(folder, name, 'database'), cause, freeBytes))?.en

  test('is called damaged only where its folder, the disk and the memory are not the cause', () => {
    mkdirSync(join(folder, 'closed/database'), { recursive: true })
    symlinkSync(join(folder, 'file/inside'), join(folder, 'closed/database/PG_VERSION'))
    expect(explain('damaged', new Error('aborted'), 2 ** 40)).toMatch(/is damaged/)
    expect(explain('closed', new Error('aborted'), 2 ** 40)).toMatch(/PG_VERSION leads through a file/)
    expect(explain('damaged', new Error('aborted'), 2 ** 20)).toMatch(/^The disk of .+ is full/)
    const memory = new RangeError('WebAssembly.Memory(): could not allocate memory')
    expect(explainFailedOpening(join(folder, 'damaged/database'), memory)).toBe(memory)
  })

  test('releases its folder', async () => {
    const memory = new RangeError('WebAssembly.Memory(): could not allocate memory')
    const open = vi.spyOn(NodeFS.prototype, 'init').mockRejectedValueOnce(memory)
    try {
      await expect(openDatabase({ dataDir: join(folder, 'released'), databaseUrl: undefined })).rejects.toBe(memory)
    } finally {
      open.mockRestore()
    }
    await expect.poll(() => isFolderLocked(join(folder, 'released/database'))).toBe(false)
  })
})

test('an own company.ts that is broken in the build stops neither the start, which builds it again, nor the doctor', () => {
  const root = join(folder, 'product')
  mkdirSync(join(root, 'build/company'), { recursive: true })
  cpSync('scripts', join(root, 'scripts'), { recursive: true })
  for (const name of ['src', 'node_modules']) symlinkSync(join(process.cwd(), name), join(root, name))
  writeFileSync(join(root, 'build/company/company.ts'), '{')
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/guichet.mjs'), ...words], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', LANG: 'C' },
    })
  const french = run('--lang', 'fr', 'start', '--help')
  expect(french).toMatchObject({ status: 0, stdout: expect.stringContaining('Démarrer le produit') as string })
  expect(run('doctor').stdout).toContain('nothing was changed')
}, 120_000)

test('a name that is not that of HOST is not explained as HOST, and a bare percent sign stays', () => {
  const error = { syscall: 'getaddrinfo', code: 'ENOTFOUND', hostname: 'elsewhere.invalid' }
  expect(explainFailure(Object.assign(new Error('not found'), error))).toBeNull()
  expect(explainDatabase(new Error('refused'), 'postgres://50%@127.0.0.1/name').texts.en).toContain('127.0.0.1')
})
