import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A built release, measured from its own folder. */
export type Release = { name: 'before' | 'now'; folder: string }

/** This release, after the one to compare it with where `before` names one: the folder where it is built, or its commit, which is built first. */
export function prepareReleases(before: string | undefined): { releases: Release[]; remove: () => void } {
  const now: Release = { name: 'now', folder: process.cwd() }
  if (!before) return { releases: [now], remove: () => undefined }
  const { folder, remove } = prepareRelease(before)
  return { releases: [{ name: 'before', folder }, now], remove }
}

/** A folder as it is; a commit is checked out and built in a folder of its own. */
function prepareRelease(given: string) {
  if (existsSync(join(given, 'build'))) return { folder: given, remove: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'guichet-before-'))
  const run = (command: string, words: string[], cwd: string) => {
    process.stderr.write(`${command} ${words.join(' ')}\n`)
    execFileSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const remove = () => run('git', ['worktree', 'remove', '--force', folder], process.cwd())
  run('git', ['worktree', 'add', '--detach', folder, given], process.cwd())
  try {
    // A later npm refuses the lock file of an earlier one for `npm ci`.
    run('npm', ['install', '--no-audit', '--no-fund'], folder)
    run(process.execPath, ['scripts/build.mjs'], folder)
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}
