import { existsSync, readdirSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { App, Routes } from '../types.ts'
import type { BackupTarget } from './archive.ts'
import { backupFolder, isBackupName, isUnfinishedName, nameBackup, writeBackup } from './archive.ts'
import type { BackupLine } from './commands.ts'
import { backupCommand } from './commands.ts'
import type { Progress } from './dump.ts'
import { requireSameRecipients } from './encryption.ts'
import { LocalizedError } from '../localized-error.ts'
import { writeRunningBackup } from './running-backup.ts'

/** How many nightly backups are retained. */
const nightlyBackups = 14
const body = z.strictObject({
  /** Without it, the product names the file. */
  file: z.string().max(1_000).refine(isAbsolute).optional(),
  /** Keys that the command was given. */
  recipients: z.array(z.string().max(5_000)).max(100).default([]),
})

/** For `npm run backup` while this process holds the embedded database, and for the nightly backup. */
export const backupRoutes: Routes = async (app) => {
  app.post(
    '/',
    {
      config: { access: `command ${backupCommand}` },
      schema: { hide: true, body },
    },
    (request, reply) =>
      // Lines of progress, then the manifest: a large backup takes longer than a client waits for the head of a response.
      reply.type('application/x-ndjson').send(Readable.from(writeLines(app, request.body))),
  )
  app.post(
    '/recipients',
    { config: { access: `command ${backupCommand}` }, schema: { hide: true, response: { 200: z.array(z.string()) } } },
    () => app.config.backupRecipients,
  )

  app.queue.schedule('backup', '30 2 * * *', async () => {
    const folder = backupFolder(app.config)
    removeOldNights(folder)
    await writeAppBackup(app, { file: join(folder, nameBackup(new Date(), 'night', app.config)), files: false })
  })
}

/** Makes room for one more, also on a disk that the last ones have filled; what an interrupted night left is no backup. */
export function removeOldNights(folder: string) {
  if (!existsSync(folder)) return
  const nights = readdirSync(folder).filter((name) => name.startsWith('night-'))
  const excess = nights
    .filter(isBackupName)
    .toSorted()
    .slice(0, -(nightlyBackups - 1))
  const interrupted = nights.filter(isUnfinishedName)
  for (const name of [...excess, ...interrupted]) rmSync(join(folder, name))
}

async function* writeLines(app: App, given: z.infer<typeof body>) {
  const lines: BackupLine[] = []
  let wake: () => void = () => undefined
  const add = (line: BackupLine) => {
    lines.push(line)
    wake()
  }
  let isDone = false
  const file = given.file ?? join(backupFolder(app.config), nameBackup(new Date(), 'whole', app.config))
  const write = async () => {
    requireSameRecipients(given.recipients, app.config.backupRecipients)
    return writeAppBackup(app, { file, files: true }, (done, total) => add({ done, total }))
  }
  const written = write()
    .then((manifest) => add({ manifest, file }))
    .catch((error: unknown) => {
      if (!(error instanceof LocalizedError)) app.log.error({ err: error }, 'the backup failed')
      add({
        failure:
          error instanceof LocalizedError
            ? error.texts
            : { fr: 'Sa cause est dans les messages du serveur.', en: 'The log of the server has the cause.' },
      })
    })
    .finally(() => {
      isDone = true
      wake()
    })
  // oxlint-disable-next-line no-unmodified-loop-condition -- set when the backup ends
  while (!isDone || lines.length > 0) {
    const line = lines.shift()
    if (line) yield `${JSON.stringify(line)}\n`
    else await new Promise<void>((resolve) => (wake = resolve))
  }
  await written
}

/** A database that lives in memory has no files that another process could read. */
function writeAppBackup({ config, db }: App, target: BackupTarget, onProgress?: Progress) {
  const hasFiles = config.databaseUrl !== undefined || existsSync(join(config.dataDir, 'database', 'PG_VERSION'))
  return hasFiles ? writeRunningBackup(config, target, onProgress) : writeBackup(db, config, target, onProgress)
}
