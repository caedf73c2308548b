import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../database/migrate.ts'
import { openPostgres } from '../database/postgres.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

/** Starts a real PostgreSQL for the run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject) {
  const databaseDir = await mkdtemp(join(tmpdir(), 'guichet-postgres-'))
  const { server, origin } = await startEmbeddedPostgres({
    databaseDir,
    persistent: false,
    // Test data is discarded, so nothing has to be flushed to disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300', '-c', 'full_page_writes=off'],
    database: 'template',
  })
  const template = openPostgres(`${origin}/template`)
  await migrateDatabase(template.db)
  await template.close()
  project.provide('postgresUrl', origin)
  return async () => {
    await server.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
}
