import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { Header } from 'tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkCompanyFolder } from '../company-folder.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { putSampleContent } from '#src/app/sample-content.ts'
import { readArchive } from './check-archive.ts'
import { backUp, restore } from './commands.ts'
import { readIdentity, requireRecipients, requireSameRecipients } from './encryption.ts'
import { BackupError, dumpDatabase } from './dump.ts'

let folder: string
let archive: string
const recording = randomBytes(5_000)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-restore-'))
  archive = join(folder, 'backup.tar.gz')
  const config = configOf('source')
  const database = await openDatabase(config)
  await migrateDatabase(database.db)
  await putSampleContent(database.db)
  await database.close()
  // A symbolic link to a folder, and two hard links to one file.
  mkdirSync(join(folder, 'disk', '2026'), { recursive: true })
  writeFileSync(join(folder, 'disk', '2026', 'a.wav'), recording)
  linkSync(join(folder, 'disk', '2026', 'a.wav'), join(folder, 'disk', '2026', 'b.wav'))
  symlinkSync(join(folder, 'disk'), join(config.dataDir, 'recordings'))
  // Links that lead nowhere are left out.
  symlinkSync(join(folder, 'gone'), join(config.dataDir, 'company'))
  symlinkSync('gone.wav', join(folder, 'disk', '2026', 'c.wav'))
  symlinkSync('d.wav', join(folder, 'disk', '2026', 'd.wav'))
  await backUp(config, archive)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const configOf = (name: string) => readConfig({ NODE_ENV: 'test', DATA_DIR: join(folder, name) })

async function dumpOf(name: string) {
  const database = await openDatabase(configOf(name))
  const target = mkdtempSync(join(folder, 'dump-'))
  try {
    return await dumpDatabase(database.db, target)
  } finally {
    await database.close()
  }
}

test('a valid archive restores the same tables, files and secret', async () => {
  const config = configOf('target')
  const before = await dumpOf('source')
  expect((await restore(config, archive)).text).toMatchObject({
    en: expect.stringMatching(/^Restored and verified in .+ tables/) as string,
  })
  expect(await dumpOf('target')).toEqual(before)
  for (const name of ['a.wav', 'b.wav']) {
    expect(readFileSync(join(config.dataDir, 'recordings', '2026', name)).equals(recording)).toBe(true)
  }
  expect(readdirSync(join(config.dataDir, 'recordings', '2026')).toSorted()).toEqual(['a.wav', 'b.wav'])
  const secretOf = (name: string) => readFileSync(join(folder, name, 'session-secret'), 'utf8')
  expect(secretOf('target')).toBe(secretOf('source'))
  expect(readdirSync(config.dataDir).toSorted()).toEqual(['database', 'recordings', 'session-secret'])
})

test('files that lie elsewhere stay there, also on another disk', async () => {
  const [own, otherDisk] = [join(folder, 'own'), mkdtempSync('/dev/shm/guichet-restore-')]
  const of = (name: string) => readConfig({ NODE_ENV: 'test', DATA_DIR: join(folder, name), COMPANY_DIR: own })
  try {
    mkdirSync(own)
    writeFileSync(join(own, 'note.txt'), 'as backed up')
    const [source, target] = [of('elsewhere-source'), of('elsewhere-target')]
    const database = await openDatabase(source)
    await migrateDatabase(database.db)
    await database.close()
    linkCompanyFolder(source)
    mkdirSync(join(source.dataDir, 'recordings/2026'), { recursive: true })
    writeFileSync(join(source.dataDir, 'recordings/2026/c.wav'), recording)
    mkdirSync(join(source.dataDir, 'downloads'))
    writeFileSync(join(source.dataDir, 'downloads/manual.txt'), 'read me')
    const file = join(folder, 'elsewhere.tar.gz')
    await backUp(source, file)

    writeFileSync(join(own, 'note.txt'), 'changed since')
    symlinkSync(otherDisk, join(target.dataDir, 'recordings'))
    symlinkSync(join(folder, 'nowhere'), join(target.dataDir, 'downloads'))
    const { text } = await restore(target, file)
    expect(text).toMatchObject({ en: expect.stringContaining(`remain those of ${own}`) as string })
    expect(() => linkCompanyFolder(target)).not.toThrow()
    expect(lstatSync(join(target.dataDir, 'company')).isSymbolicLink()).toBe(true)
    expect(readdirSync(own)).toEqual(['note.txt'])
    expect(readFileSync(join(own, 'note.txt'), 'utf8')).toBe('changed since')
    expect(readFileSync(join(otherDisk, '2026/c.wav')).equals(recording)).toBe(true)
    expect(readFileSync(join(target.dataDir, 'downloads/manual.txt'), 'utf8')).toBe('read me')
  } finally {
    rmSync(otherDisk, { recursive: true })
  }
})

type Entry = {
  path: string
  type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
  linkpath?: string
  body?: Buffer
}

function block({ path, type = 'File', linkpath = '', body = Buffer.alloc(0) }: Entry) {
  const header = new Header({ path, type, linkpath, size: body.length, mode: 0o644, mtime: new Date(0) })
  header.encode()
  return Buffer.concat([header.block ?? Buffer.alloc(512), body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}

/** The valid archive with extra entries before its end. */
function withEntries(...entries: Entry[]) {
  const whole = gunzipSync(readFileSync(archive))
  return gzipSync(Buffer.concat([...entries.map(block), whole]))
}

/** The valid archive with one byte of a table changed and its manifest unchanged. */
function withChangedTable() {
  const whole = gunzipSync(readFileSync(archive))
  const at = whole.indexOf('{"id"')
  whole.write('{"ID"', at)
  return gzipSync(whole)
}

/** An archive with valid checksums and invalid rows, as an attacker could build. */
function withWrongRows() {
  return withTable(`{"id": "not a number", "name": ${JSON.stringify('x'.repeat(99))}}\n`)
}

/** As a version makes it that has one more migration. */
const ofNewerVersion = () => withTable('', ['f'.repeat(64)])

function withTable(text: string, more: string[] = []) {
  const rows = Buffer.from(text)
  const { migrations } = JSON.parse(manifestText()) as { migrations: string[] }
  const tables = [{ name: 'networks', rows: text ? 1 : 0, sha256: createHash('sha256').update(rows).digest('hex') }]
  const manifest = { made_at: new Date(0).toISOString(), migrations: [...migrations, ...more], tables, files: false }
  const entries = [
    { path: 'dump/manifest.json', body: Buffer.from(JSON.stringify(manifest)) },
    { path: 'dump/tables/networks.ndjson', body: rows },
  ]
  return gzipSync(Buffer.concat([...entries.map(block), Buffer.alloc(1_024)]))
}

function manifestText() {
  const whole = gunzipSync(readFileSync(archive))
  return whole.toString('utf8', whole.indexOf('{\n  "made_at"'), whole.indexOf('\n}', whole.indexOf('"made_at"')) + 2)
}

function manifestOnly(manifest: unknown) {
  return gzipSync(
    Buffer.concat([block({ path: 'dump/manifest.json', body: Buffer.from(JSON.stringify(manifest)) }), Buffer.alloc(1_024)]),
  )
}

const hostile: [string, () => Buffer, RegExp][] = [
  ['no archive', () => randomBytes(5_000), /not a Guichet backup/],
  ['an empty file', () => Buffer.alloc(0), /not a Guichet backup/],
  ['a compressed text', () => gzipSync(Buffer.from('hello '.repeat(500))), /damaged or incomplete/],
  [
    'an archive of something else',
    () => gzipSync(Buffer.concat([block({ path: 'a.txt', body: Buffer.from('a') }), Buffer.alloc(1_024)])),
    /not a Guichet backup/,
  ],
  ['one cut short', () => readFileSync(archive).subarray(0, -3_000), /damaged or incomplete/],
  ['one with a byte turned', () => turned(readFileSync(archive)), /damaged or incomplete/],
  ['a path out of the folder', () => withEntries({ path: 'recordings/../../evil', body: Buffer.from('x') }), /wants to write/],
  ['an absolute path', () => withEntries({ path: '/tmp/evil', body: Buffer.from('x') }), /wants to write/],
  ['a file in the database', () => withEntries({ path: 'database/PG_VERSION', body: Buffer.from('x') }), /wants to write/],
  ['a symbolic link', () => withEntries({ path: 'recordings', type: 'SymbolicLink', linkpath: '/etc' }), /no file and no folder/],
  ['a hard link', () => withEntries({ path: 'a', type: 'Link', linkpath: '/etc/passwd' }), /no file and no folder/],
  ['a device', () => withEntries({ path: 'a', type: 'CharacterDevice' }), /no file and no folder/],
  ['a pipe', () => withEntries({ path: 'a', type: 'FIFO' }), /no file and no folder/],
  ['the same file twice', () => withEntries({ path: 'a' }, { path: 'a' }), /twice/],
  ['a bomb', () => withEntries({ path: 'a', body: Buffer.alloc(300_000_000) }), /more than 200 times/],
  ['a table that was changed', withChangedTable, /is damaged in the backup/],
  [
    'a manifest that is no JSON',
    () => gzipSync(Buffer.concat([block({ path: 'dump/manifest.json', body: Buffer.from('{') }), Buffer.alloc(1_024)])),
    /not a Guichet backup/,
  ],
  [
    'a table’s name that is a path',
    () =>
      manifestOnly({
        made_at: new Date(0).toISOString(),
        migrations: [],
        tables: [{ name: '../../x', rows: 0, sha256: '' }],
        files: false,
      }),
    /not a Guichet backup/,
  ],
]

/** In the middle of the compressed data. */
function turned(bytes: Buffer) {
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  return bytes
}

describe('an encrypted backup', () => {
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  /** As `age-keygen` writes it. */
  async function createKey(name: string) {
    const key = await generateIdentity()
    const recipient = await identityToRecipient(key)
    return { recipient, file: write(name, `# created: 2026-11-26\n# public key: ${recipient}\n${key}\n`) }
  }

  test('is opened by the key of any recipient, and by no other', { timeout: 120_000 }, async () => {
    const [first, second, other] = [await createKey('first.txt'), await createKey('second.txt'), await createKey('other.txt')]
    const file = join(folder, 'backup.tar.gz.age')
    const sent = { ...configOf('source'), backupRecipients: [first.recipient, second.recipient] }
    await backUp(sent, file)
    expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    const given = (identityFile?: string) => restore(configOf('decrypted'), file, { identityFile })
    await expect(given()).rejects.toThrow(/^This backup is encrypted: .+ Without it nobody can read the backup/)
    await expect(given(other.file)).rejects.toThrow(`The key of ${other.file} (${other.recipient}) does not open this backup`)
    await given(second.file)
    expect(await dumpOf('decrypted')).toEqual(await dumpOf('source'))

    const whole = readFileSync(file)
    const identity = await readIdentity(first.file)
    for (const bytes of [whole.subarray(0, -3_000), turned(Buffer.from(whole)), whole.subarray(0, 100)]) {
      writeFileSync(file, bytes)
      const refused = { fr: expect.stringMatching(/endommagée/) as string, en: expect.stringMatching(/damaged/) as string }
      expect(await readArchive(file, identity)).toEqual({ refused })
    }
  })

  test.each([
    ['a public key', 'age1s5yad8cwel72r9tp2jcwlzd2jjt0fuprwam2wgyumzgfwsd3jp0s0xsehf', 'holds a public key'],
    ['a key cut short', 'AGE-SECRET-KEY-1T3UKQQ', 'holds no whole age private key'],
    ['a comment alone', '# created: 2026-11-26\n', 'holds no whole age private key'],
    ['a protected key', 'age-encryption.org/v1\n-> scrypt', 'is protected by a passphrase'],
  ])('%s is no identity, and is not shown', async (_what, text, message) => {
    const file = write('identity.txt', text)
    const failure = await readIdentity(file).catch((error: unknown) => (error as Error).message)
    expect(failure).toContain(`${file} ${message}`)
    expect(failure).not.toContain('T3UKQQ')
  })

  test('names a recipient that is no key, and the keys of a command that is given others', async () => {
    const key = 'age1s5yad8cwel72r9tp2jcwlzd2jjt0fuprwam2wgyumzgfwsd3jp0s0xsehf'
    const wrong = `${key.slice(0, -1)}q`
    await expect(requireRecipients({ backupRecipients: [key, wrong] })).rejects.toThrow(
      `BACKUP_RECIPIENT is not valid: ${wrong} is not`,
    )
    await expect(requireRecipients({ backupRecipients: [key] })).resolves.toBeUndefined()
    expect(() => requireSameRecipients([key], [])).toThrow(
      `BACKUP_RECIPIENT of this command (${key}) is not that of the running product (none)`,
    )
    expect(() => requireSameRecipients([], [key])).not.toThrow()
  })
})

describe('an invalid archive is rejected with one message', () => {
  test.each(hostile)('%s', { timeout: 60_000 }, async (_what, make, message) => {
    const file = join(folder, 'hostile.tar.gz')
    writeFileSync(file, make())
    const response = await readArchive(file)
    const oneLine = expect.stringMatching(/^[^\n]+\.$/) as string
    expect(response).toEqual({ refused: { fr: oneLine, en: oneLine } })
    expect(response).toMatchObject({ refused: { en: expect.stringMatching(message) as string } })
  })

  test.each([
    ['a path out of the folder', () => withEntries({ path: '../evil', body: Buffer.from('x') }), 'file'],
    ['one cut short, from the standard input', () => readFileSync(archive).subarray(0, -3_000), '-'],
    ['rows that the database does not take', withWrongRows, 'file'],
    ['one of a newer version', ofNewerVersion, 'file'],
  ])('%s: exit code 1, and nothing written', { timeout: 120_000 }, (_what, make, how) => {
    const dataDir = join(folder, 'untouched', 'data')
    mkdirSync(join(folder, 'untouched'), { recursive: true })
    const file = join(folder, 'hostile.tar.gz')
    writeFileSync(file, make())
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/guichet.mjs', 'restore', how === '-' ? '-' : file], {
      encoding: 'utf8',
      input: how === '-' ? readFileSync(file) : undefined,
      env: { ...process.env, DATA_DIR: dataDir },
    })
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\.\n$/) })
    expect(readdirSync(join(folder, 'untouched'))).toEqual([])
    expect(existsSync(join(folder, 'evil'))).toBe(false)
  })

  test('keeps existing files unchanged', async () => {
    const config = configOf('kept')
    writeFileSync(join(config.dataDir, 'note.txt'), 'mine')
    const file = join(folder, 'hostile.tar.gz')
    writeFileSync(file, withEntries({ path: 'note.txt', body: Buffer.from('theirs') }, { path: '../evil' }))
    await expect(restore(config, file)).rejects.toThrow(BackupError)
    expect(readFileSync(join(config.dataDir, 'note.txt'), 'utf8')).toBe('mine')
    expect(readdirSync(config.dataDir).toSorted()).toEqual(['note.txt', 'session-secret'])
  })
})
