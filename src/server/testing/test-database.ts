import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { inject } from 'vitest'
import type { OpenDatabase } from '../database/database.ts'
import { fastBytes, overPglite } from '../database/pglite.ts'
import { openPostgres } from '../database/postgres.ts'

/** Opens an empty, migrated database of the kind that this run tests. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  return process.env.TEST_DATABASE === 'postgres' ? openCopyOnPostgres() : openCopyOnPglite()
}

/** Read and compiled once for all databases of a process. */
let shared: ReturnType<typeof loadShared> | undefined

async function loadShared() {
  const folder = dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')))
  const code = await openAsBlob(join(folder, 'pglite.wasm'))
  return {
    pgliteWasmModule: await WebAssembly.compile(await code.arrayBuffer()),
    fsBundle: await openAsBlob(join(folder, 'pglite.data')),
    loadDataDir: await openAsBlob(inject('pgliteTemplate')),
  }
}

async function openCopyOnPglite() {
  shared ??= loadShared()
  // PostgreSQL clears all its buffers at the start.
  return overPglite(await PGlite.create({ ...(await shared), ...fastBytes, postgresqlconf: 'shared_buffers=8MB' }))
}

async function openCopyOnPostgres() {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template template`)
  const database = openPostgres(`${server}/${name}`)
  return {
    ...database,
    close: async () => {
      await database.close()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

async function onServer(server: string, statement: string) {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    // PostgreSQL rejects concurrent copies of one template, so they run one by one.
    await client.query('select pg_advisory_lock(1)')
    await client.query(statement)
  } finally {
    await client.end()
  }
}
