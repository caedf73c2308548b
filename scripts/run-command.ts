import { BackupError } from '#src/server/backup/dump.ts'
import type { Config } from '#src/server/config.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'

type Words = { least?: number; most: number }

/** Runs a command line: user errors print one line, others their stack. */
export async function runCommand(
  usage: string,
  { least = 0, most }: Words,
  work: (config: Config, words: string[]) => Promise<string>,
) {
  const words = process.argv.slice(2)
  if (words.length < least || words.length > most || words.some((word) => /^-./.test(word))) {
    process.stderr.write(`Usage: ${usage}\n`)
    process.exit(2)
  }
  try {
    process.stdout.write(`${await work(readConfig(process.env), words)}\n`)
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
