// A step of the build: the empty database of a first start.
import { packFirstDatabase } from '../src/server/database/first-database.ts'
import { openPglite } from '../src/server/database/pglite.ts'

await packFirstDatabase(async (folder) => {
  const database = await openPglite(folder, { isDurable: false })
  await database.close()
})
