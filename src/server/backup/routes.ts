import { readdirSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { Routes } from '../types.ts'
import { backupFolder, nameBackup, writeBackup } from './archive.ts'
import { backupCommand } from './commands.ts'
import { manifestSchema } from './manifest.ts'

/** How many nightly backups are retained. */
const nightlyBackups = 14
const body = z.strictObject({ file: z.string().max(1_000).refine(isAbsolute) })

/** For `npm run backup` while this process holds the embedded database, and for the nightly backup. */
export const backupRoutes: Routes = async (app) => {
  app.post(
    '/',
    {
      config: { access: `command ${backupCommand}` },
      schema: { hide: true, body, response: { 200: manifestSchema } },
    },
    (request) => writeBackup(app.db, app.config, { file: request.body.file, files: true }),
  )

  app.queue.schedule('backup', '30 2 * * *', async () => {
    const folder = backupFolder(app.config)
    await writeBackup(app.db, app.config, { file: join(folder, nameBackup(new Date(), 'night')), files: false })
    const old = readdirSync(folder)
      .filter((name) => name.startsWith('night-'))
      .toSorted()
      .slice(0, -nightlyBackups)
    for (const name of old) rmSync(join(folder, name))
  })
}
