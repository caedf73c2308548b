import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeOldNights } from './routes.ts'

test.each([
  ['backup', '--help'],
  ['restore', '--force'],
])(
  '%s %s prints its usage, and changes nothing',
  (name, option) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${name}.ts`, option], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^Usage: npm run ${name}`)),
    })
  },
  60_000,
)

test('a file that cannot be read or written gives a one-line message', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-file-'))
  writeFileSync(join(folder, 'file'), '')
  const env = { ...process.env, DATA_DIR: join(folder, 'file', 'data') }
  const { status, stderr } = spawnSync(process.execPath, ['scripts/backup.ts'], { encoding: 'utf8', env })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^ENOTDIR: .+\n$/) })
  rmSync(folder, { recursive: true })
}, 60_000)

test.each([
  ['backup', ''],
  ['db-move', 'postgres://nobody@127.0.0.1:1/nothing'],
])(
  '%s without an embedded database fails, and creates none',
  (name, DATABASE_URL) => {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-elsewhere-'))
    const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${name}.ts`], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: folder, DATABASE_URL },
    })
    const message = `There is no database in ${folder}: give the command the DATA_DIR of the server.\n`
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: message })
    expect(readdirSync(folder)).not.toContain('database')
    rmSync(folder, { recursive: true })
  },
  60_000,
)

test('before a night the oldest of fourteen makes room, and what an interrupted night left goes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-nights-'))
  const nights = Array.from({ length: 15 }, (_, index) => `night-2026-11-${String(index + 1).padStart(2, '0')}T02-30-00.tar.gz`)
  const others = ['whole-2026-11-01T09-00-00.tar.gz', 'whole-2026-11-02T09-00-00.tar.gz.part']
  for (const name of [...nights, ...others, 'night-2026-11-16T02-30-00.tar.gz.part']) writeFileSync(join(folder, name), '')
  removeOldNights(folder)
  expect(readdirSync(folder).toSorted()).toEqual([...nights.slice(2), ...others].toSorted())
  removeOldNights(join(folder, 'none'))
  rmSync(folder, { recursive: true })
})
