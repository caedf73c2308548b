import { createFirstAdministrator } from '../src/features/people/users/server/administrator.ts'
import { buildApp } from '../src/app/app.ts'
import { features } from '../src/app/features.ts'
import { areasOf } from '../src/lib/feature.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/database/database.ts'
import { prepareDatabase } from '../src/server/secrets/bind-secret.ts'
import { putSampleContent } from '../src/app/sample-content.ts'

/** The product in its own process, without pages, so that no build is needed. */
const config = readConfig(process.env)
const database = await openDatabase(config)
await prepareDatabase(database.db, config)
if (config.demo) await putSampleContent(database.db)
await createFirstAdministrator(database.db, areasOf(features), config)
const app = await buildApp(config, database, 'none')
await app.listen({ port: config.port, host: config.host })
process.stdout.write(`Guichet is running at ${app.listeningOrigin}\n`)
process.once('SIGTERM', async () => {
  await app.close()
  await database.close()
  process.exit(0)
})
await app.queue.start('America/Toronto')
