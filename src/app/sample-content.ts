import { sql } from 'drizzle-orm'
import { markSample, readPlaces } from '#src/features/company/server/sample.ts'
import { networks } from '#src/features/networks/server/table.ts'
import { users } from '#src/features/people/server/table.ts'
import type { Database } from '#src/server/database/database.ts'
import { serverFeatures } from './server-features.ts'

/** Inserts the sample content into an unused database (`DEMO`); returns whether it did. */
export async function putSampleContent(db: Database) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7148303)`)
    if ((await tx.$count(users)) > 0 || (await tx.$count(networks)) > 0) return false
    const contents = serverFeatures.flatMap(({ content = [] }) => content)
    const before = await readPlaces(tx, contents)
    for (const { putSample } of serverFeatures) await putSample?.(tx)
    await markSample(tx, before, await readPlaces(tx, contents))
    return true
  })
}
