import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { OpenDatabase } from './database.ts'
import { logger } from '../log.ts'

export function openPostgres(connectionString: string): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
  })
  // The pool replaces a dropped idle connection; without a listener the event would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'database connection lost'))
  // The pool does not listen to one that is lent to a transaction: its next statement fails, and that is logged.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    db: drizzle(pool),
    executeSql: async (text, values) => {
      // Several statements return a list of results, which the driver's types do not cover.
      const results = (await pool.query(text, values)) as pg.QueryResult | pg.QueryResult[]
      return { rows: [results].flat().flatMap((result) => result.rows as unknown[]) }
    },
    kind: 'postgres',
    close: () => pool.end(),
  }
}
