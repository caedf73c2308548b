import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Database } from './database.ts'
import { logger } from '../log.ts'

/** Any constant: it identifies the migration lock among the advisory locks. */
const lockKey = 7_148_301

type Options = {
  folder?: string
  /** Migration hashes let us restore an old backup into the schema of its time. */
  only?: ReadonlySet<string>
}

/**
 * Migrates the database in one transaction under an advisory lock: concurrent starts wait, and an interrupted start changes
 * nothing. A backup holds the lock, too; a start without a new migration does not wait for it.
 */
export async function migrateDatabase(db: Database, { folder = join(process.cwd(), 'migrations'), only }: Options = {}) {
  const known = readMigrationFiles({ migrationsFolder: folder })
  const migrations = only ? known.filter(({ hash }) => only.has(hash)) : known
  const isNew = async (tx: Pick<Database, 'execute'>) => {
    const applied = await findApplied(tx)
    return migrations.filter(({ hash }) => !applied.has(hash))
  }
  await db.transaction(async (tx) => {
    if ((await isNew(tx)).length === 0) return
    await tx.execute(sql`set local statement_timeout to 0`)
    const waiting = setInterval(() => logger.warn('the migration waits for a backup or another start'), 10_000)
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`).finally(() => clearInterval(waiting))
    await tx.execute(sql`create table if not exists migrations (
      hash text primary key, applied_at timestamptz not null default now())`)
    for (const migration of await isNew(tx)) await apply(tx, migration)
  })
}

/** Keeps migrations out until the transaction ends; false while one runs. */
export async function tryToHoldMigrations(tx: Database) {
  const { rows } = (await tx.execute(sql`select pg_try_advisory_xact_lock_shared(${lockKey}) as held`)) as {
    rows: { held: boolean }[]
  }
  return rows[0]?.held === true
}

async function findApplied(db: Pick<Database, 'execute'>) {
  const { rows: tables } = (await db.execute(sql`select to_regclass('public.migrations') as found`)) as {
    rows: { found: string | null }[]
  }
  if (!tables[0]?.found) return new Set<string>()
  const { rows } = (await db.execute(sql`select hash from migrations`)) as { rows: { hash: string }[] }
  return new Set(rows.map(({ hash }) => hash))
}

async function apply(tx: Pick<Database, 'execute'>, migration: MigrationMeta) {
  for (const statement of migration.sql) await tx.execute(sql.raw(statement))
  await tx.execute(sql`insert into migrations (hash) values (${migration.hash})`)
}
