// `npm run audit:verify [-- HASH | BACKUP]`: verifies the whole audit log against hashes stored outside the database.
// Read-only.
import { ConfigError, readConfig } from '#src/server/config.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { verifyByCommand } from '../src/server/audit-log/verify-command.ts'

/** 0: intact. 1: an event was changed or removed. 2: the log could not be read. */
const exitCodes = { intact: 0, altered: 1, unread: 2 }

async function run() {
  const [given, ...rest] = process.argv.slice(2)
  if (rest.length > 0 || given?.startsWith('-')) throw new ConfigError('Usage: npm run audit:verify [-- HASH | BACKUP]')
  const { isIntact, message } = await verifyByCommand(readConfig(process.env), given)
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
