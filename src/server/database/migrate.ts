import { join } from 'node:path'
import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Pool } from 'pg'
import type { Database } from './database.ts'
import { logger } from '../log.ts'

/** Any constant: it identifies the migration lock among the advisory locks. */
const lockKey = 7_148_301

type Options = {
  folder?: string
  /** Migration hashes let us restore an old backup into the schema of its time. */
  only?: ReadonlySet<string>
  /** Size in bytes above which an index of a table is built beside the transaction. */
  largeTable?: number
}

const newIndex = /^\s*CREATE\s+(UNIQUE\s+)?INDEX\s+"?(\w+)"?\s+ON\s+(?:"?public"?\.)?"?(\w+)"?/i

/**
 * Migrates the database in one transaction under an advisory lock: concurrent starts wait, and an interrupted start changes
 * nothing. A backup holds the lock, too; a start without a new migration does not wait for it. On PostgreSQL an index of a
 * large table is built afterwards and without a lock on writes; the next start builds what was interrupted.
 */
export async function migrateDatabase(
  db: Database,
  { folder = join(process.cwd(), 'migrations'), only, largeTable = 8_000_000 }: Options = {},
) {
  const known = readMigrationFiles({ migrationsFolder: folder })
  const migrations = only ? known.filter(({ hash }) => only.has(hash)) : known
  const findNew = async (tx: Tx) => {
    const applied = await findApplied(tx)
    return migrations.filter(({ hash }) => !applied.has(hash))
  }
  const hasLateIndexes = await db.transaction(async (tx) => {
    if ((await findNew(tx)).length > 0) {
      await tx.execute(sql`set local statement_timeout to 0`)
      const waiting = setInterval(() => logger.warn('the migration waits for a backup or another start'), 10_000)
      await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`).finally(() => clearInterval(waiting))
      await tx.execute(sql`create table if not exists migrations (
        hash text primary key, applied_at timestamptz not null default now())`)
      for (const migration of await findNew(tx)) await apply(tx, migration, largeTable)
    }
    return (await findLateIndexes(tx)).length > 0
  })
  if (hasLateIndexes) await buildLateIndexes(db)
}

type Tx = Pick<Database, 'execute'>

async function apply(tx: Tx, migration: MigrationMeta, largeTable: number) {
  for (const statement of migration.sql) {
    const [, , index, table] = newIndex.exec(statement) ?? []
    if (index && table && (await isLarge(tx, table, largeTable))) await postponeIndex(tx, index, statement)
    else await tx.execute(sql.raw(statement))
  }
  await tx.execute(sql`insert into migrations (hash) values (${migration.hash})`)
}

/** False on the embedded database: there is one connection, so nobody could write meanwhile anyway. */
async function isLarge(tx: Tx, table: string, largeTable: number) {
  const found = await query<{ large: boolean }>(
    tx,
    sql`select version() not like '%PGlite%' and pg_relation_size(to_regclass(${`public.${table}`})) > ${largeTable} as large`,
  )
  return found[0]?.large === true
}

async function postponeIndex(tx: Tx, index: string, statement: string) {
  await tx.execute(sql`create table if not exists late_indexes (name text primary key, statement text not null)`)
  await tx.execute(sql`insert into late_indexes values (${index}, ${statement})`)
}

async function findLateIndexes(tx: Tx) {
  const [table] = await query<{ found: string | null }>(tx, sql`select to_regclass('public.late_indexes') as found`)
  return table?.found
    ? query<{ name: string; statement: string }>(tx, sql`select name, statement from late_indexes order by name`)
    : []
}

/** The transaction only holds the lock: an index is built concurrently outside of transactions alone. */
async function buildLateIndexes(db: Database) {
  const { $client: pool } = db as unknown as { $client: Pool }
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout to 0`)
    await tx.execute(sql`set local idle_in_transaction_session_timeout to 0`)
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`)
    const client = await pool.connect()
    try {
      await client.query('set statement_timeout to 0')
      for (const { name, statement } of await findLateIndexes(tx)) {
        logger.info({ index: name }, 'building an index')
        // An interrupted build leaves an invalid index.
        await client.query(`drop index concurrently if exists "${name}"`)
        await client.query(statement.replace(/INDEX\s+/i, 'INDEX CONCURRENTLY '))
      }
    } finally {
      // Closed, because the setting belongs to the session.
      client.release(true)
    }
    await tx.execute(sql`drop table if exists late_indexes`)
  })
}

/** Keeps migrations out until the transaction ends; false while one runs. */
export async function tryToHoldMigrations(tx: Database) {
  const { rows } = (await tx.execute(sql`select pg_try_advisory_xact_lock_shared(${lockKey}) as held`)) as {
    rows: { held: boolean }[]
  }
  return rows[0]?.held === true
}

async function findApplied(db: Tx) {
  const [table] = await query<{ found: string | null }>(db, sql`select to_regclass('public.migrations') as found`)
  if (!table?.found) return new Set<string>()
  const rows = await query<{ hash: string }>(db, sql`select hash from migrations`)
  return new Set(rows.map(({ hash }) => hash))
}

async function query<Row>(db: Tx, statement: SQL) {
  return ((await db.execute(statement)) as { rows: Row[] }).rows
}
