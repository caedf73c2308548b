import { existsSync, fstatSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstPasswordName } from './backup/manifest.ts'

/** Whether the output of this process goes to the journal of systemd, which keeps it (`JOURNAL_STREAM`, systemd.exec(5)). */
export function isJournal(stream: string | undefined, descriptor = 1) {
  if (!stream) return false
  const { dev, ino } = fstatSync(descriptor)
  return stream === `${dev}:${ino}`
}

/** Returns the file, which only its owner can read. */
export function storeFirstPassword(dataDir: string, password: string) {
  const file = join(dataDir, firstPasswordName)
  rmSync(file, { force: true })
  writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' })
  return file
}

/** The file of a password that nobody read yet, such as after a start that failed later; null without one. */
export function findFirstPassword(dataDir: string) {
  const file = join(dataDir, firstPasswordName)
  return existsSync(file) ? file : null
}

/** Whoever signed in knows a password, and whoever read it as it was printed. */
export function forgetFirstPassword(dataDir: string) {
  rmSync(join(dataDir, firstPasswordName), { force: true })
}
