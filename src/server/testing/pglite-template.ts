import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../database/migrate.ts'
import { overPglite } from '../database/pglite.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** File of a migrated, empty embedded database that each test file loads. */
    pgliteTemplate: string
    /** Address of a PostgreSQL server with a migrated database named `template`. */
    postgresUrl: string
  }
}

/**
 * Migrates once: copying the result is much faster than migrating again. Each test file copies it, so that it is small: short files
 * of the write-ahead log, and none of the databases that others would be made of.
 */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'guichet-template-'))
  const client = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] })
  for (const name of ['template1', 'template0']) {
    await client.exec(`alter database ${name} is_template false`)
    await client.exec(`drop database ${name}`)
  }
  await migrateDatabase(overPglite(client).db)
  const dump = await client.dumpDataDir('none')
  await client.close()
  const file = join(folder, 'database.tar')
  await writeFile(file, Buffer.from(await dump.arrayBuffer()))
  project.provide('pgliteTemplate', file)
  return () => rm(folder, { recursive: true, force: true })
}
