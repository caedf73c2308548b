import { connect } from 'node:tls'
import pg from 'pg'
import { explainDatabase } from '../database/database.ts'

export type DatabaseFacts = { version: string; encoding: string; now: Date; took: number; migrations: string[] }

/** Time of each check. */
export const limitMs = 5_000

export const answersAt = (address: string) =>
  fetch(`${address}/healthz`, { signal: AbortSignal.timeout(limitMs - 1_000) }).then(
    ({ ok: isGood }) => isGood,
    () => false,
  )

export async function readDatabase(url: string): Promise<DatabaseFacts> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: limitMs - 1_000 })
  client.on('error', () => undefined)
  const startedAt = performance.now()
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; encoding: string; now: Date; migrated: string | null }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding, now(),
        to_regclass('public.migrations')::text as migrated`,
    )
    const took = performance.now() - startedAt
    const [row] = rows
    if (!row) throw new Error('the database returned no row')
    const { rows: applied } = row.migrated ? await client.query<{ hash: string }>('select hash from migrations') : { rows: [] }
    return { ...row, took, migrations: applied.map(({ hash }) => hash) }
  } catch (error) {
    throw explainDatabase(error, url)
  } finally {
    await client.end().catch(() => undefined)
  }
}

export function findCertificateEnd(host: string, port: number) {
  return new Promise<Date>((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: limitMs - 1_000 }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error('timeout')))
  })
}
