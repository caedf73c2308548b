import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Database } from './database.ts'

/** Any constant: it identifies the migration lock among the advisory locks. */
const lockKey = 7_148_301

type Options = {
  folder?: string
  /** Migration hashes let us restore an old backup into the schema of its time. */
  only?: ReadonlySet<string>
}

/**
 * Migrates the database in one transaction under an advisory lock: concurrent starts wait, and an interrupted start changes
 * nothing.
 */
export async function migrateDatabase(db: Database, { folder = join(process.cwd(), 'migrations'), only }: Options = {}) {
  const known = readMigrationFiles({ migrationsFolder: folder })
  const migrations = only ? known.filter(({ hash }) => only.has(hash)) : known
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`)
    await tx.execute(sql`create table if not exists migrations (
      hash text primary key, applied_at timestamptz not null default now())`)
    const { rows } = (await tx.execute(sql`select hash from migrations`)) as { rows: { hash: string }[] }
    const applied = new Set(rows.map((row) => row.hash))
    for (const migration of migrations) {
      if (!applied.has(migration.hash)) await apply(tx, migration)
    }
  })
}

async function apply(tx: Pick<Database, 'execute'>, migration: MigrationMeta) {
  for (const statement of migration.sql) await tx.execute(sql.raw(statement))
  await tx.execute(sql`insert into migrations (hash) values (${migration.hash})`)
}
