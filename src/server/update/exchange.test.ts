import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exchangeFolders, repairExchange } from './exchange.ts'
import type { Journal } from './journal.ts'
import { newJournal, readJournal, removeJournal, writeJournal } from './journal.ts'
import { findPlaces } from './places.ts'

let folder: string
let [one, other] = ['', '']
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-exchange-'))
  ;[one, other] = [join(folder, 'one'), join(folder, 'other')]
  for (const path of [one, other]) {
    mkdirSync(path)
    writeFileSync(join(path, 'name'), path)
  }
})
afterEach(() => rmSync(folder, { recursive: true }))
const nameIn = (path: string) => readFileSync(join(path, 'name'), 'utf8')

test.each([true, false])('two folders change places (at once: %s)', (isAtomic) => {
  exchangeFolders(one, other, { isAtomic })
  expect([nameIn(one), nameIn(other)]).toEqual([other, one])
  expect(readdirSync(folder)).toHaveLength(2)
})

test('an exchange by renames that was killed at either of its moments is ended', () => {
  renameSync(one, `${other}.former`)
  repairExchange(one, other)
  expect([nameIn(one), nameIn(other)]).toEqual([other, one])

  renameSync(other, `${other}.former`)
  repairExchange(one, other)
  expect([nameIn(one), nameIn(other)]).toEqual([other, one])
  repairExchange(one, other)
  expect([nameIn(one), nameIn(other)]).toEqual([other, one])
})

test('the command finds the installation from the folder beside it, where it was left without one', () => {
  const places = findPlaces(one, { dataDir: '/data' })
  for (const name of [places.next, `${places.next}.former`, places.previous])
    expect(findPlaces(name, { dataDir: '/data' }).root).toBe(one)
  expect(findPlaces(join(folder, 'next'), { dataDir: '/data' }).root).toBe(join(folder, 'next'))
})

test('a journal is read as it was written, and one of an unknown version is refused with what to do', () => {
  const file = join(folder, 'journal.json')
  expect(readJournal(file)).toBeNull()
  const release = { version: '1.0.0', commit: 'a' }
  const to = { ...release, version: '1.1.0' }
  const journal: Journal = {
    ...newJournal({ from: release, to, migrates: true, control: { kind: 'systemd', unit: 'guichet' } }),
    phase: 'switching',
    backup: '/backups/1.tar.gz',
    stopped_at: 1,
    limit_ms: 2,
  }
  writeJournal(file, journal)
  expect(readJournal(file)).toEqual(journal)
  writeFileSync(file, '{"format":2}')
  expect(() => readJournal(file)).toThrow('end the update with the newer of the two versions')
  removeJournal(file)
  expect(existsSync(file)).toBe(false)
})
