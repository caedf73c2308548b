import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { closeContents } from './private-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-private-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

function make(path: string, mode: number) {
  const file = join(folder, path)
  writeFileSync(file, '')
  chmodSync(file, mode)
  return file
}

describe('the contents of the data folder', () => {
  test('become private at any depth, and keep the owner’s permissions', async () => {
    mkdirSync(join(folder, 'a/b'), { recursive: true })
    chmodSync(join(folder, 'a'), 0o755)
    chmodSync(join(folder, 'a/b'), 0o775)
    const open = make('a/b/open', 0o666)
    const program = make('a/program', 0o755)
    const closed = make('closed', 0o600)
    expect(await closeContents(folder)).toEqual({ repaired: 4, refused: 0 })
    expect([open, program, closed, join(folder, 'a'), join(folder, 'a/b')].map(modeOf)).toEqual([
      '600',
      '700',
      '600',
      '700',
      '700',
    ])
    expect(await closeContents(folder)).toEqual({ repaired: 0, refused: 0 })
  })

  test('end at links that lead out of the folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'guichet-outside-'))
    try {
      writeFileSync(join(outside, 'file'), '')
      chmodSync(join(outside, 'file'), 0o644)
      chmodSync(outside, 0o755)
      symlinkSync(outside, join(folder, 'folder'))
      symlinkSync(join(outside, 'file'), join(folder, 'file'))
      expect(await closeContents(folder)).toEqual({ repaired: 0, refused: 0 })
      expect([outside, join(outside, 'file')].map(modeOf)).toEqual(['755', '644'])
    } finally {
      rmSync(outside, { recursive: true })
    }
  })
})

test('the configuration makes the data folder and later files private', () => {
  const before = process.umask(0o022)
  try {
    chmodSync(folder, 0o755)
    readConfig({ DATA_DIR: folder })
    expect(modeOf(folder)).toBe('700')
    mkdirSync(join(folder, 'new'))
    writeFileSync(join(folder, 'new/file'), '')
    expect([join(folder, 'new'), join(folder, 'new/file')].map(modeOf)).toEqual(['700', '600'])
  } finally {
    process.umask(before)
  }
})

test('no script works on the data beside the commands, which begin with the configuration', () => {
  const scripts = readdirSync('scripts').filter((name) => /\.(ts|mjs)$/.test(name))
  expect(scripts.length).toBeGreaterThan(5)
  for (const name of scripts) expect(readFileSync(join('scripts', name), 'utf8'), name).not.toMatch(/openDatabase|dataDir/)
})
