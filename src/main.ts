import { flushCompileCache } from 'node:module'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { holidays } from '#company/holidays.ts'
import { homeTexts } from '#company/home.ts'
import { sharingTexts } from '#company/sharing.ts'
import { siteTexts } from '#company/site.ts'
import { features } from '#src/app/features.ts'
import { grantNewAreas } from '#src/features/people/groups/server/service.ts'
import { createFirstAdministrator } from '#src/features/people/users/server/administrator.ts'
import { markSample } from '#src/features/company/server/sample.ts'
import { putSampleRecordings } from '#src/features/recordings/server/sample.ts'
import { areasOf } from '#src/lib/feature.ts'
import {
  companyHolidaysSchema,
  companyHomeSchema,
  companySchema,
  companySharingSchema,
  companySiteSchema,
} from '#src/lib/company-schema.ts'
import { backlog, buildApp } from '#src/app/app.ts'
import type { Config } from '#src/server/config.ts'
import { requireRecipients } from '#src/server/backup/encryption.ts'
import { isCompanyFolderChanged, linkCompanyFolder } from '#src/server/company-folder.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'
import { findFirstPassword, forgetFirstPassword, isJournal, storeFirstPassword } from '#src/server/first-password.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { reportFailedStart } from '#src/server/failures.ts'
import { logger } from '#src/server/log.ts'
import { prepareDatabase } from '#src/server/secrets/bind-secret.ts'
import { repairDataFolder } from '#src/server/private-folder.ts'
import { putSampleContent } from '#src/app/sample-content.ts'
import { shareFiles } from '#src/server/shared-files.ts'
import { startTracing } from '#src/server/observability/tracing.ts'
import { noteServing, refuseOutgoing } from '#src/server/update/quiet.ts'

/** A product that was killed or stopped a moment ago may still close its database. */
const stoppingMs = 5_000
let isStarting = true
/** An update tries this version: nothing leaves it, and no job runs. */
const isTrial = process.env.GUICHET_TRIAL === '1'

async function start() {
  const files = [
    ['company.ts', companySchema.safeParse(company)],
    ['holidays.ts', companyHolidaysSchema.safeParse(holidays)],
    ['home.ts', companyHomeSchema.safeParse(homeTexts)],
    ['site.ts', companySiteSchema.safeParse(siteTexts)],
    ['sharing.ts', companySharingSchema.safeParse(sharingTexts)],
  ] as const
  for (const [name, checked] of files)
    if (!checked.success) {
      const reason = z.prettifyError(checked.error)
      throw new ConfigError({
        fr: `company/${name} n’est pas valide :\n${reason}`,
        en: `company/${name} is not valid:\n${reason}`,
      })
    }
  const config = readConfig(process.env)
  if (isTrial) refuseOutgoing(config)
  await requireRecipients(config)
  await startTracing(config)
  const database = await openDatabase(config, { waitMs: stoppingMs })
  linkCompanyFolder(config)
  shareFiles(config)
  await prepareDatabase(database.db, config)
  if (config.demo && (await putSampleContent(database.db))) {
    const calls = await putSampleRecordings(database.db, config)
    await markSample(database.db, [], [{ name: 'recordings', versions: new Map(calls.map((id) => [id, 1])) }])
  }
  const areas = areasOf(features)
  await grantNewAreas(database.db, areas)
  const administrator = await createFirstAdministrator(database.db, areas, config)

  // Before anything else may fail: the password is nowhere else, and no later start makes another.
  if (administrator) storeFirstPassword(config.dataDir, administrator.password)

  const app = await buildApp(config, database, config.mode === 'development' ? 'development' : 'built')
  await app.listen({ port: config.port, host: config.host, backlog })
  isStarting = false
  if (!isTrial) noteServing(config)
  announce(app.listeningOrigin, config, administrator)
  if (config.mode === 'production') warnOfChangedCompany(config)

  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'stopping')
    // A request in progress must not keep the process running; the database is closed before the process is killed.
    setTimeout(() => app.server.closeAllConnections(), 8_000).unref()
    setTimeout(() => process.exit(1), 9_500).unref()
    await app.close()
    await database.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.once('SIGHUP', stop)
  // The command that started the product may be killed: alone it would hold the port and the data folder for ever.
  if (process.env.STARTED_BY)
    setInterval(() => String(process.ppid) !== process.env.STARTED_BY && void stop('its starter ended'), 1_000).unref()

  // The configuration already made the folder private; it may contain many files.
  await repairDataFolder(config.dataDir)
  if (!isTrial) await app.queue.start(company.hours.timeZone)
  // With NODE_COMPILE_CACHE, the next start uses compiled code even if this process is killed.
  flushCompileCache()
}

function warnOfChangedCompany({ companyDir }: Config) {
  try {
    if (!isCompanyFolderChanged(companyDir)) return
    logger.warn(
      { folder: companyDir },
      'files of the company changed since the build, which shows them: run node scripts/build.mjs, then restart',
    )
  } catch (error) {
    logger.warn({ err: error, folder: companyDir }, 'the files of the company cannot be read; those of the build are shown')
  }
}

function announce(address: string, { publicUrl, dataDir }: Config, administrator: { username: string; password: string } | null) {
  process.stdout.write(`\n  Guichet is running at ${address}\n`)
  if (administrator) process.stdout.write(`  First administrator: ${administrator.username}\n`)
  if (administrator && !isJournal(process.env.JOURNAL_STREAM)) {
    process.stdout.write(`  Password (shown only once): ${administrator.password}\n`)
    forgetFirstPassword(dataDir)
  }
  const file = findFirstPassword(dataDir)
  if (file) process.stdout.write(`  Password of the first administrator: in ${file}, which is removed at the first sign-in\n`)
  process.stdout.write(`  Administration: ${publicUrl ?? address}/admin/login\n\n`)
}

process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))
// Node would print the error whole, with the values of a statement.
process.on('uncaughtException', (error) => {
  if (isStarting) reportFailedStart(error)
  else logger.fatal({ err: error }, 'uncaught exception')
  process.exit(1)
})

start().catch((error: unknown) => {
  reportFailedStart(error)
  process.exit(1)
})
