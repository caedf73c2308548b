// `npm run audit:verify [-- HASH | BACKUP | --continue]`: verifies the whole audit log against hashes stored outside the
// database; with `--continue`, what came after the last verification. Changes nothing in the database.
import { ConfigError, readConfig } from '#src/server/config.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { createProgressReport } from './run-command.ts'
import { verifyByCommand } from '../src/server/audit-log/verify-command.ts'

/** 0: intact. 1: an event was changed or removed. 2: the log could not be read. */
const exitCodes = { intact: 0, altered: 1, unread: 2 }

async function run() {
  const [given, ...rest] = process.argv.slice(2)
  const isContinued = given === '--continue'
  if (rest.length > 0 || (given?.startsWith('-') && !isContinued))
    throw new ConfigError('Usage: npm run audit:verify [-- HASH | BACKUP | --continue]')
  const options = { isContinued, onProgress: createProgressReport('events') }
  const { isIntact, message } = await verifyByCommand(readConfig(process.env), isContinued ? undefined : given, options)
  process.stdout.write(`${message}\n`)
  return isIntact ? exitCodes.intact : exitCodes.altered
}

run()
  .then((code) => {
    process.exitCode = code
  })
  .catch((error: unknown) => {
    process.exitCode = exitCodes.unread
    const isKnown = error instanceof FolderInUse || error instanceof ConfigError
    process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    if (error instanceof FolderInUse) {
      process.stderr.write(
        'The embedded database has one process at a time: while the server runs, verify the log at /admin/journal.\n',
      )
    }
  })
