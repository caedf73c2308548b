import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runGuichet } from '#src/app/testing/run-guichet.ts'
import { removeOldNights } from './routes.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-usage-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a file that cannot be read or written gives a one-line message', async () => {
  writeFileSync(join(folder, 'file'), '')
  const { code, output, errors } = await runGuichet(['backup'], { environment: { DATA_DIR: join(folder, 'file', 'data') } })
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toMatch(/leads through a file where a folder is needed: .+\n$/)
  expect(errors.split('\n')).toHaveLength(2)
})

test.each([
  ['backup', ''],
  ['move', 'postgres://nobody@127.0.0.1:1/nothing'],
])('%s without an embedded database fails, and creates none', async (name, DATABASE_URL) => {
  const environment = { DATA_DIR: join(folder, name), DATABASE_URL }
  const english = `There is no database in ${join(folder, name)}: give the command the DATA_DIR of the server.\n`
  expect(await runGuichet([name], { environment })).toEqual({ code: 1, output: '', errors: english })
  const french = await runGuichet([name, '--lang', 'fr'], { environment })
  expect(french.errors).toMatch(/^Il n’y a pas de base de données dans .+\u00A0: donnez/)
  expect(readdirSync(join(folder, name))).not.toContain('database')
})

test('before a night the oldest of fourteen makes room, and what an interrupted night left goes', () => {
  const nightly = mkdtempSync(join(tmpdir(), 'guichet-nights-'))
  const nights = Array.from(
    { length: 15 },
    (_, index) => `night-2026-11-${String(index + 1).padStart(2, '0')}T02-30-00.tar.gz${index % 2 === 0 ? '' : '.age'}`,
  )
  const others = ['whole-2026-11-01T09-00-00.tar.gz', 'whole-2026-11-02T09-00-00.tar.gz.part']
  const interrupted = ['night-2026-11-16T02-30-00.tar.gz.part', 'night-2026-11-17T02-30-00.tar.gz.age.part']
  for (const name of [...nights, ...others, ...interrupted]) writeFileSync(join(nightly, name), '')
  removeOldNights(nightly)
  expect(readdirSync(nightly).toSorted()).toEqual([...nights.slice(2), ...others].toSorted())
  removeOldNights(join(nightly, 'none'))
  rmSync(nightly, { recursive: true })
})
