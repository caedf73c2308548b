import type { Progress } from '#src/server/backup/dump.ts'
import { BackupError } from '#src/server/backup/dump.ts'
import type { Config } from '#src/server/config.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'

type Words = { least?: number; most: number }

/** Runs a command line: user errors print one line, others their stack. */
export async function runCommand(
  usage: string,
  { least = 0, most }: Words,
  work: (config: Config, words: string[], onProgress: Progress) => Promise<string>,
) {
  const words = process.argv.slice(2)
  if (words.length < least || words.length > most || words.some((word) => /^-./.test(word))) {
    process.stderr.write(`Usage: ${usage}\n`)
    process.exit(2)
  }
  try {
    process.stdout.write(`${await work(readConfig(process.env), words, createProgressReport('rows'))}\n`)
  } catch (error) {
    const isPlain =
      error instanceof BackupError || error instanceof ConfigError || error instanceof FolderInUse || isOfFile(error)
    process.stderr.write(`${isPlain ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  }
}

/** True for a file system error, whose message names the file. */
function isOfFile(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** Reports long work on stderr: one line on a terminal, otherwise a line every 10 s. */
export function createProgressReport(unit: string): Progress {
  const { isTTY } = process.stderr
  const everyMs = isTTY ? 500 : 10_000
  const startedAt = performance.now()
  let reportedAt = startedAt
  return (done, total) => {
    const now = performance.now()
    if (now - reportedAt < everyMs || done === 0) return
    reportedAt = now
    const rate = done / ((now - startedAt) / 1_000)
    const left = total === null ? '' : ` of ${total}, ${Math.ceil((total - done) / rate)} s left`
    process.stderr.write(`${isTTY ? '\r\u001B[K' : ''}${done} ${unit}${left}, ${Math.round(rate)} a second${isTTY ? '' : '\n'}`)
  }
}
