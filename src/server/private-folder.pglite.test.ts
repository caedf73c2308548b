import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a command creates private files only, also with a permissive umask', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-private-'))
  const data = join(folder, 'data')
  const line = `umask 000; exec "${process.execPath}" scripts/guichet.mjs admin create zoe`
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'test', DATA_DIR: data },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const all = [data, ...readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => join(data, name))]
  expect(all.length).toBeGreaterThan(100)
  expect(all.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([])
  rmSync(folder, { recursive: true })
}, 120_000)
