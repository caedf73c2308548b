// `npm run audit:verify`: reads the whole journal and says whether each line is as it was written. It changes nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { ConfigError, readConfig } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { verifyJournal } from '#src/server/journal/journal.ts'

/** 0: intact. 1: a line was changed or taken out. 2: it could not be read. */
const exitCodes = { intact: 0, broken: 1, unread: 2 }

async function verify() {
  const config = readConfig(process.env)
  // Opening an embedded database that is not there would make one.
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'database'))) {
    throw new ConfigError(`There is no database in ${config.dataDir}.`)
  }
  const database = await openDatabase(config)
  try {
    const { lines, brokenAt, lastHash } = await database.db.transaction(
      async (tx) => {
        await tx.execute(sql`set transaction read only`)
        return verifyJournal(tx)
      },
      { isolationLevel: 'repeatable read' },
    )
    if (brokenAt === null) {
      process.stdout.write(`The journal is intact: ${lines} lines, the last with the hash ${lastHash}\n`)
      return exitCodes.intact
    }
    process.stdout.write(`The journal is broken: line ${brokenAt} is not as it was written; the ${lines} lines before it are.\n`)
    return exitCodes.broken
  } finally {
    await database.close()
  }
}

verify()
  .then((code) => {
    process.exitCode = code
  })
  .catch((error: unknown) => {
    process.exitCode = exitCodes.unread
    const isKnown = error instanceof FolderInUse || error instanceof ConfigError
    process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    if (error instanceof FolderInUse) {
      process.stderr.write(
        'The embedded database has one process at a time: while the product runs, /admin/journal checks the chain.\n',
      )
    }
  })
