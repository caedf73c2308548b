import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runGuichet } from '#src/app/testing/run-guichet.ts'
import type { Config } from '../config.ts'
import { lockFolder } from '../database/folder-lock.ts'
import { findRelease, findTarget, requireCleanClone } from './git.ts'
import { newJournal, readJournal, removeJournal, writeJournal } from './journal.ts'
import { findPlaces } from './places.ts'
import { findControl, requireSpace, requireUpdatable } from './refusals.ts'

let folder: string
let [origin, root, dataDir] = ['', '', '']
const git = (where: string, ...words: string[]) =>
  execFileSync('git', ['-C', where, '-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
const write = (where: string, path: string, text: string) => {
  mkdirSync(join(where, path, '..'), { recursive: true })
  writeFileSync(join(where, path), text)
}
const release = (version: string, files: Record<string, string> = {}) => {
  write(origin, 'package.json', JSON.stringify({ version }))
  for (const [path, text] of Object.entries(files)) write(origin, path, text)
  git(origin, 'add', '--all')
  git(origin, 'commit', '--quiet', '--message', version)
  git(origin, 'tag', `v${version}`)
}
const configOf = (change: Partial<Config> = {}) => ({ dataDir, databaseUrl: undefined, redisUrl: undefined, ...change }) as Config
const places = () => findPlaces(root, { dataDir })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-refusals-'))
  ;[origin, root, dataDir] = [join(folder, 'origin'), join(folder, 'guichet'), join(folder, 'data')]
  git(folder, 'init', '--quiet', '--initial-branch=main', origin)
  release('0.9.0')
  release('1.0.0', { 'src/server/update/trial.ts': '', 'migrations/0001.sql': '', 'company/company.ts': '' })
  git(folder, 'clone', '--quiet', origin, root)
  write(dataDir, 'database/PG_VERSION', '17')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('what to update to', () => {
  test('the newest release, or the number, branch or commit that is named, with what it brings', () => {
    expect(findTarget(root, undefined)).toBeNull()
    release('1.1.0', { 'migrations/0002.sql': '', 'package-lock.json': '{}', 'deploy/guichet.service': '' })
    const found = findTarget(root, undefined)
    expect(found).toMatchObject({
      from: { version: '1.0.0' },
      to: { version: '1.1.0' },
      commits: 1,
      migrations: 1,
      hasOtherPackages: true,
      hasOtherDeployment: true,
    })
    for (const name of ['1.1.0', 'v1.1.0', 'main', found?.to.commit]) expect(findTarget(root, name)).toEqual(found)
    release('1.10.0')
    expect(findTarget(root, undefined)?.to.version).toBe('1.10.0')
    expect(findTarget(root, '1.0.0')).toBeNull()
  })

  test('before the first release, what the origin has', () => {
    for (const tag of ['v0.9.0', 'v1.0.0']) for (const where of [origin, root]) git(where, 'tag', '--delete', tag)
    expect(findTarget(root, undefined)).toBeNull()
    write(origin, 'package.json', '{"version":"1.0.1"}')
    git(origin, 'commit', '--quiet', '--all', '--message', 'more')
    expect(findTarget(root, undefined)).toMatchObject({ to: { version: '1.0.1' }, migrations: 0 })
  })

  test.each(['9.9.9', '--upload-pack=touch', '../../etc', 'v1.0.0..main'])('refuses the unknown version %s', (name) => {
    expect(() => findTarget(root, name)).toThrow(`The origin has no version ${name}`)
  })

  test('refuses a version older than the database, or than the command', () => {
    release('1.1.0', { 'migrations/0002.sql': '' })
    git(root, 'fetch', '--quiet', '--tags')
    git(root, 'checkout', '--quiet', 'v1.1.0')
    expect(() => findTarget(root, '1.0.0')).toThrow('1.0.0 is older than the database, whose migrations cannot be reverted')
    expect(() => findTarget(root, '0.9.0')).toThrow('0.9.0 is older than this command')
  })

  test('says that the origin cannot be read, without its password', () => {
    git(root, 'remote', 'set-url', 'origin', 'https://ana:secret@127.0.0.1:1/guichet.git')
    const find = () => findTarget(root, undefined)
    expect(find).toThrow('https://127.0.0.1:1/guichet.git cannot be read')
    expect(find).toThrow('nothing was changed')
    expect(find).not.toThrow('secret')
  })
})

describe('an installation that cannot be updated is refused with what to do', () => {
  test('no clone of its own', () => {
    const inner = join(root, 'inner')
    mkdirSync(inner)
    for (const path of [folder, inner]) expect(() => requireCleanClone(path, dataDir)).toThrow(`${path} is no git clone`)
  })

  test('edited files; what git does not know may stay', () => {
    write(root, 'notes.txt', 'mine')
    expect(() => requireCleanClone(root, dataDir)).not.toThrow()
    write(root, 'package.json', '{}')
    expect(() => requireCleanClone(root, dataDir)).toThrow('package.json. Put them aside, then: git checkout -- package.json')
    git(root, 'checkout', '--', 'package.json')
    write(root, 'company/company.ts', 'mine')
    expect(() => requireCleanClone(root, dataDir)).toThrow(`Copy those of company/ to ${join(dataDir, 'company')}`)
  })

  test('no database, several instances, data inside of the product, a folder that is closed', () => {
    expect(() => requireUpdatable(places(), configOf())).not.toThrow()
    expect(() => requireUpdatable(places(), configOf({ redisUrl: 'redis://localhost' }))).toThrow('several instances are updated')
    expect(() => requireUpdatable(places(), configOf({ dataDir: join(root, 'data') }))).toThrow(
      'is inside the folder of the product',
    )
    rmSync(join(dataDir, 'database'), { recursive: true })
    expect(() => requireUpdatable(places(), configOf())).toThrow(`There is no database in ${dataDir}`)
  })

  test.runIf(process.getuid?.() === 0)('a user who may not write beside the product, or is not the owner of the data', () => {
    const script = `
      import { requireUpdatable } from ${JSON.stringify(new URL('./refusals.ts', import.meta.url).href)}
      process.setuid(65534)
      try { requireUpdatable(${JSON.stringify(places())}, ${JSON.stringify({ dataDir })}) } catch (error) { console.log(error.message) }`
    const run = () => execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    for (const path of [folder, root]) chmodSync(path, 0o755)
    chmodSync(dataDir, 0o700)
    expect(run()).toContain(`${dataDir} belongs to another user`)
    for (const path of [dataDir, join(dataDir, 'database')]) chownSync(path, 65_534, 65_534)
    expect(run()).toContain(`${folder} cannot be changed by this user: run the command as root`)
  })

  test('a disk without space, before anything is changed', async () => {
    const target = findTarget(root, undefined)
    expect(target).toBeNull()
    release('1.1.0')
    const found = findTarget(root, undefined)
    if (!found) throw new Error('there is a newer release')
    await expect(requireSpace(places(), configOf(), found)).resolves.toBeUndefined()
    // A file of a size that no disk here has, without its bytes.
    write(root, 'build/large', '')
    truncateSync(join(root, 'build/large'), 8 * 2 ** 40)
    await expect(requireSpace(places(), configOf(), found)).rejects.toThrow(
      /MB left, and the update needs 8\d{6} MB.*Nothing was changed/,
    )
  })

  test('a product that runs in a way that is not known, and half of how it does', async () => {
    const runs = () => Promise.resolve(true)
    const [unit, rests] = ['guichet-of-nobody', () => Promise.resolve(false)]
    await expect(findControl({ unit, stop: 'true' }, places(), runs)).rejects.toThrow('--stop and --start go together')
    await expect(findControl({ unit }, places(), runs)).rejects.toThrow(
      'name its own (--unit), give --stop and --start, or stop it first',
    )
    expect(await findControl({ unit }, places(), rests)).toEqual({ kind: 'none' })
    expect(await findControl({ unit, stop: 'a', start: 'b' }, places(), runs)).toEqual({
      kind: 'commands',
      stop: 'a',
      start: 'b',
    })
  })
})

test('a second update waits for nobody: it is refused, and --check changes nothing', async () => {
  cpSync('scripts', join(root, 'scripts'), { recursive: true })
  const environment = { DATA_DIR: dataDir, SESSION_SECRET: 's'.repeat(32) }
  const [before, umask] = [process.cwd(), process.umask()]
  const inRoot = async (...words: string[]) => {
    process.chdir(root)
    return runGuichet(['update', ...words], { environment }).finally(() => {
      process.chdir(before)
      process.umask(umask)
    })
  }
  release('1.1.0', { 'migrations/0002.sql': '' })
  expect(await inRoot('--check')).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^Version 1\.0\.0 \(\w{8}\) → 1\.1\.0 \(\w{8}\): 1 commits, migrations: 1\.\nNothing was changed\.\n$/,
    ) as string,
  })
  expect(await inRoot('--resume')).toMatchObject({ code: 0, output: 'No update was interrupted.\n' })
  const installed = findRelease(root)
  const interrupted = newJournal({ from: installed, to: installed, migrates: false, control: { kind: 'none' } })
  writeJournal(places().journal, interrupted)
  expect(await inRoot('--check')).toMatchObject({
    code: 1,
    output: '',
    errors: 'An update to 1.0.0 was interrupted: run the command with --resume first. Nothing was changed.\n',
  })
  expect(readJournal(places().journal)).toEqual(interrupted)
  removeJournal(places().journal)
  const unlock = await lockFolder(places().work)
  expect(await inRoot()).toMatchObject({ code: 1, errors: 'Another update is running: wait until it is done.\n' })
  unlock()
})
