import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/server/testing/embedded-postgres.ts'

/** Starts a PostgreSQL with an empty database, which can be stopped and restarted. */
export async function startPostgres() {
  const databaseDir = mkdtempSync(join(tmpdir(), 'guichet-chaos-'))
  const { server, origin } = await startEmbeddedPostgres({ databaseDir, persistent: true, database: 'guichet' })
  return {
    url: `${origin}/guichet`,
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop()
      rmSync(databaseDir, { recursive: true, force: true })
    },
  }
}
