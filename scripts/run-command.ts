import { BackupError } from '#src/server/backup/dump.ts'
import type { Config } from '#src/server/config.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'

type Words = { least?: number; most: number }

/** Runs a command typed on the server: mistakes of the user get one line, other failures their cause. */
export async function runCommand(
  usage: string,
  { least = 0, most }: Words,
  work: (config: Config, words: string[]) => Promise<string>,
) {
  const words = process.argv.slice(2)
  if (words.length < least || words.length > most || words.some((word) => word.startsWith('-'))) {
    process.stderr.write(`Usage: ${usage}\n`)
    process.exit(2)
  }
  try {
    process.stdout.write(`${await work(readConfig(process.env), words)}\n`)
  } catch (error) {
    const isPlain = error instanceof BackupError || error instanceof ConfigError || error instanceof FolderInUse
    process.stderr.write(`${isPlain ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  }
}
