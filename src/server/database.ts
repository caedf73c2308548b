import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Config } from './config.ts'

export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = {
  db: Database
  /** Plain SQL for the queue; answers rows as objects. */
  executeSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  kind: 'pglite' | 'postgres'
  close: () => Promise<void>
}

/** Opens the embedded database under `DATA_DIR`, or PostgreSQL where `DATABASE_URL` is set. */
export async function openDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<OpenDatabase> {
  if (config.databaseUrl) return (await import('./postgres.ts')).openPostgres(config.databaseUrl)
  const folder = join(config.dataDir, 'database')
  mkdirSync(folder, { recursive: true })
  return (await import('./pglite.ts')).openPglite(folder)
}

/** Throws when the database does not answer. */
export async function pingDatabase(db: Database) {
  await db.execute(sql`select 1`)
}

/** Two rows where there may be one: the database knows before anybody else could. */
export function isUniqueViolation(error: unknown) {
  return (error as { cause?: { code?: string } }).cause?.code === '23505'
}
