import { spawnSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'

/** Of `renameat2`, which Node does not have, by processor. */
const callNumbers: Partial<Record<NodeJS.Architecture, number>> = { x64: 316, arm64: 276 }
const script = 'exit(syscall($ARGV[0] + 0, -100, $ARGV[1], -100, $ARGV[2], 2) == 0 ? 0 : 1)'

/**
 * Lets two folders change places. In one step where the system can: whoever starts the product always finds a whole one. Perl
 * makes the call, which Debian has wherever it has git. Elsewhere by three renames, which `repairExchange` ends.
 */
export function exchangeFolders(one: string, other: string, { isAtomic = true } = {}) {
  const number = process.platform === 'linux' ? callNumbers[process.arch] : undefined
  if (isAtomic && number && spawnSync('perl', ['-e', script, String(number), one, other]).status === 0) return
  renameSync(one, formerOf(other))
  renameSync(other, one)
  renameSync(formerOf(other), other)
}

/** Ends an exchange that was interrupted between its renames. */
export function repairExchange(one: string, other: string) {
  const former = formerOf(other)
  if (!existsSync(former)) return
  if (!existsSync(one)) renameSync(other, one)
  renameSync(former, other)
}

const formerOf = (folder: string) => `${folder}.former`
