import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/server/testing/embedded-postgres.ts'

/** A PostgreSQL of one's own, with an empty database, that can be stopped and started again. */
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
