// `npm run admin -- create|reset-password|reset-2fa|unlock NAME`: for an administrator of the server who cannot sign in.
import { company } from '#company/company.ts'
import { CommandError, adminCommands, runAdminCommand } from '../src/features/people/users/server/administrator.ts'
import { features } from '../src/app/features.ts'
import { applyStoredFacts } from '../src/features/company/server/service.ts'
import { areasOf } from '../src/lib/feature.ts'
import { createMailStore } from '#src/server/background/mail.ts'
import { ConfigError, ownAddress, readConfig } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { prepareDatabase } from '#src/server/secrets/bind-secret.ts'

async function run() {
  const [given, name, ...rest] = process.argv.slice(2)
  const command = adminCommands.find((one) => one === given)
  if (!command || !name || rest.length > 0) throw new CommandError(`Usage: npm run admin -- ${adminCommands.join('|')} NAME`)
  const config = readConfig(process.env)
  const database = await openDatabase(config)
  try {
    await prepareDatabase(database.db, config)
    // Mails carry the name and the address that the administration chose.
    await applyStoredFacts(database.db)
    const origin = config.publicUrl ?? ownAddress(config)
    const app = { db: database.db, areas: areasOf(features), mailer: createMailStore(config.mailFrom ?? company.emails.support) }
    process.stdout.write(`${await runAdminCommand(app, { command, name, origin, password: config.adminPassword })}\n`)
  } finally {
    await database.close()
  }
}

run().catch((error: unknown) => {
  if (error instanceof FolderInUse) {
    process.stderr.write(
      `${error.message}\nThe embedded database has one process at a time: stop the product, give the command, start it again.\n`,
    )
  } else if (error instanceof CommandError || error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
