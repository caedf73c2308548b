import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leftOut } from './backup/manifest.ts'
import { findFirstPassword, forgetFirstPassword, isJournal, storeFirstPassword } from './first-password.ts'

test('the output is a journal only where it is the stream that systemd names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-stream-'))
  const descriptor = openSync(join(folder, 'output'), 'w')
  const { dev, ino } = fstatSync(descriptor)
  expect(isJournal(`${dev}:${ino}`, descriptor)).toBe(true)
  // A program that the service starts inherits the variable, with an output of its own.
  expect(isJournal(`${dev}:${ino + 1}`, descriptor)).toBe(false)
  expect(isJournal(undefined, descriptor)).toBe(false)
  closeSync(descriptor)
  rmSync(folder, { recursive: true })
})

test('the first password is in a file for its owner alone, in no backup, until it is forgotten', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-password-'))
  const file = storeFirstPassword(folder, 'Premier-Mot-1!')
  expect(storeFirstPassword(folder, 'Second-Mot-2!')).toBe(file)
  expect(readFileSync(file, 'utf8')).toBe('Second-Mot-2!\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(leftOut).toContain('first-password')
  expect(findFirstPassword(folder)).toBe(file)
  forgetFirstPassword(folder)
  forgetFirstPassword(folder)
  expect(findFirstPassword(folder)).toBeNull()
  expect(() => statSync(file)).toThrow('ENOENT')
  rmSync(folder, { recursive: true })
})
