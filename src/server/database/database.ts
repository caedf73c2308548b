import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import { logger } from '../log.ts'

const startTries = 10
/** Transient errors: a container's name resolves only while it runs. */
const passing = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', '57P01', '57P03', '53300'])

export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = {
  db: Database
  /** Plain SQL for the queue; returns rows as objects. */
  executeSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  kind: 'pglite' | 'postgres'
  close: () => Promise<void>
}

/** Opens the embedded database under `DATA_DIR`, or PostgreSQL where `DATABASE_URL` is set. */
export async function openDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const database = (await import('./postgres.ts')).openPostgres(config.databaseUrl)
    await untilAvailable(database.db)
    await requireUnicode(database)
    return database
  }
  const folder = join(config.dataDir, 'database')
  mkdirSync(folder, { recursive: true })
  return (await import('./pglite.ts')).openPglite(folder)
}

/** In an SQL_ASCII database, text with accents is not found. */
async function requireUnicode(database: OpenDatabase) {
  const { rows } = await database.executeSql('show server_encoding')
  const { server_encoding: encoding } = rows[0] as { server_encoding: string }
  if (encoding === 'UTF8') return
  await database.close()
  throw new ConfigError(`DATABASE_URL: this database uses the ${encoding} encoding; create it with ENCODING 'UTF8'.`)
}

/** Waits for a database that is still starting, or has no free connection. */
async function untilAvailable(db: Database) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pingDatabase(db)
    } catch (error) {
      if (tries === startTries || !isDatabaseAway(error)) throw error
      logger.warn({ tries }, 'the database does not answer yet')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

/** Name not resolved, connection refused, timeout, or a server that is starting, stopping or out of connections. */
export function isDatabaseAway(error: unknown) {
  if (!(error instanceof Error)) return false
  const { code, message } = (error.cause instanceof Error ? error.cause : error) as Error & { code?: string }
  return (
    passing.has(code ?? '') || /^(timeout exceeded when trying to connect|timeout expired|Connection terminated)/.test(message)
  )
}

/** Throws when the database does not respond. */
export async function pingDatabase(db: Database) {
  await db.execute(sql`select 1`)
}

/** True for a unique violation: only the database can detect it without a race. */
export function isUniqueViolation(error: unknown) {
  return (error as { cause?: { code?: string } }).cause?.code === '23505'
}
