import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Config } from '../config.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { ConfigError } from '../config.ts'
import type { Reason } from '../localized-error.ts'
import { LocalizedError } from '../localized-error.ts'
import { logger } from '../log.ts'

/** A start says within 15 s why it fails. */
const waitMs = 9_000
/** Transient errors: a container's name resolves only while it runs. */
const passing = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', '57P01', '57P03', '53300'])

export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = {
  db: Database
  /** Plain SQL for the queue; returns rows as objects. */
  executeSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  kind: 'pglite' | 'postgres'
  /** Free space of the disk with the files of the embedded database. */
  findFreeBytes?: () => number
  close: () => Promise<void>
}

/**
 * Opens the embedded database under `DATA_DIR`, or PostgreSQL where `DATABASE_URL` is set. `waitMs` is how long a process that
 * still holds the embedded one may take to end.
 */
export async function openDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>, { waitMs = 0 } = {}): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const database = (await import('./postgres.ts')).openPostgres(config.databaseUrl)
    await untilAvailable(database.db).catch(async (error: unknown) => {
      await database.close()
      throw explainDatabase(error, config.databaseUrl ?? '')
    })
    await requireUnicode(database)
    return database
  }
  const folder = join(config.dataDir, 'database')
  mkdirSync(folder, { recursive: true })
  return (await import('./pglite.ts')).openPglite(folder, { waitMs })
}

/** Current time by the clock of the database, which all instances share. */
export async function readTime(db: Database) {
  const { rows } = (await db.execute(sql`select extract(epoch from clock_timestamp()) * 1000 as ms`)) as {
    rows: { ms: string }[]
  }
  return new Date(Number(rows[0]?.ms))
}

/** In an SQL_ASCII database, text with accents is not found. */
async function requireUnicode(database: OpenDatabase) {
  const { rows } = await database.executeSql('show server_encoding')
  const { server_encoding: encoding } = rows[0] as { server_encoding: string }
  if (encoding === 'UTF8') return
  await database.close()
  throw new ConfigError({
    fr: `DATABASE_URL : cette base utilise l’encodage ${encoding}; créez-la avec ENCODING 'UTF8'.`,
    en: `DATABASE_URL: this database uses the ${encoding} encoding; create it with ENCODING 'UTF8'.`,
  })
}

/** Waits for a database that is still starting, or has no free connection. */
async function untilAvailable(db: Database) {
  const startedAt = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await pingDatabase(db)
    } catch (error) {
      if (performance.now() - startedAt > waitMs || !isDatabaseAway(error)) throw error
      logger.warn({ tries }, 'the database does not answer yet')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

/** PostgreSQL or the way to it refuses; the sentence names the server, and never the password. */
export function explainDatabase(error: unknown, address: string) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  const { host, username, pathname } = new URL(address)
  const [user, name] = [decode(username), decode(pathname.slice(1))]
  const failed = (texts: LocalizedText, reason: Reason = 'refused') => new LocalizedError(texts, reason, { cause })
  if (code === '28P01' || code === '28000') {
    return failed({
      fr: `DATABASE_URL : ${host} refuse l’utilisateur ${user} ou son mot de passe. Corrigez-les.`,
      en: `DATABASE_URL: ${host} refuses the user ${user} or the password. Correct them.`,
    })
  }
  if (code === '3D000') {
    return failed({
      fr: `DATABASE_URL : il n’y a pas de base ${name} à ${host}. Créez-la avec ENCODING 'UTF8', ou corrigez son nom.`,
      en: `DATABASE_URL: there is no database ${name} at ${host}. Create it with ENCODING 'UTF8', or correct its name.`,
    })
  }
  if (/SSL|TLS|certificate/i.test(`${code} ${message}`)) {
    return failed({
      fr: `DATABASE_URL : la connexion chiffrée à ${host} a échoué (${message}). Corrigez sslmode ou le certificat.`,
      en: `DATABASE_URL: the encrypted connection to ${host} failed (${message}). Correct sslmode or the certificate.`,
    })
  }
  return failed(
    {
      fr: `DATABASE_URL : PostgreSQL ne répond pas à ${host} (${code || message}). Démarrez-le, ou corrigez l’adresse et le port.`,
      en: `DATABASE_URL: PostgreSQL does not respond at ${host} (${code || message}). Start it, or correct the address and the port.`,
    },
    'unreachable',
  )
}

/** A bare percent sign stays. */
function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
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
