import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Pool, PoolClient } from 'pg'
import { ConfigError } from '../config.ts'
import type { Database } from './database.ts'
import { logger } from '../log.ts'

/** Any constant: it identifies the migration lock among the advisory locks. */
const lockKey = 7_148_301

type Options = {
  folder?: string
  /** Migration hashes let us restore an old backup into the schema of its time. */
  only?: ReadonlySet<string>
  /** Size in bytes above which a table is large: its indexes are built afterwards, and each migration commits by itself. */
  largeTable?: number
}

const newTable = /^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/i
/** Texts for searches, made of every message of the past. */
const filledTexts = /^\s*INSERT\s+INTO\s+"(chat_texts|request_texts)"/i
const sources: Record<string, { table: string; largest: string; fill: string }> = {
  chat_texts: {
    table: 'chats',
    largest: 'chat_messages',
    fill: `select refresh_chat_text(id) from chats where id > $1 and id <= $2 and status = 'closed'
      and not exists (select from chat_texts where chat_id = id)`,
  },
  request_texts: {
    table: 'requests',
    largest: 'requests',
    fill: `select refresh_request_text(id) from requests where id > $1 and id <= $2
      and not exists (select from request_texts where request_id = id)`,
  },
}
const textsAtOnce = 200
/** To fold a text takes longer than to index a column of it. */
const textCost = 10
const newReference = /^\s*ALTER\s+TABLE\s+"?(\w+)"?\s+ADD\s+CONSTRAINT\s+"?(\w+)"?\s+FOREIGN\s+KEY\b[^;]*/i
const newUnique = /^\s*ALTER\s+TABLE\s+"?(\w+)"?\s+ADD\s+CONSTRAINT\s+"?(\w+)"?\s+UNIQUE\s*(\([^)]+\))/i
const newIndex = /^\s*CREATE\s+(UNIQUE\s+)?INDEX\s+"?(\w+)"?\s+ON\s+(?:"?public"?\.)?"?(\w+)"?/i

/**
 * Migrates the database under an advisory lock, which a backup holds, too: in one transaction, so that an interrupted start changes
 * nothing; but on PostgreSQL with a large table one by one, or each lock would last until the end of all. The next start goes on,
 * also with indexes of large tables, which are built afterwards without a lock on writes.
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
  await db.transaction(async (tx) => {
    if ((await findNew(tx)).length > 0) {
      await tx.execute(sql`set local statement_timeout to 0`)
      await tx.execute(sql`set local idle_in_transaction_session_timeout to 0`)
      const waiting = setInterval(() => logger.warn('the migration waits for a backup or another start'), 10_000)
      await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`).finally(() => clearInterval(waiting))
      const context = { largeTable, created: new Set<string>() }
      if (await isAnyLarge(tx, largeTable)) {
        for (const migration of await findNew(tx)) await applyAlone(db, migration, context)
      } else {
        await tx.execute(sql`create table if not exists migrations (
          hash text primary key, applied_at timestamptz not null default now())`)
        for (const migration of await findNew(tx)) await apply(tx, migration, context)
      }
    }
  })
  // In a transaction that began before the others, `to_regclass` may not find what they created.
  if ((await findLateWork(db)).length > 0) await doLateWork(db)
}

/** Whether every one of these migrations is of this version; a newer version's tables would be misread, and written wrongly. */
export function knowsMigrations(hashes: Iterable<string>, folder = join(process.cwd(), 'migrations')) {
  const known = new Set(readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash))
  return [...hashes].every((hash) => known.has(hash))
}

/** Hashes of the migrations of this version. */
export const listMigrations = (folder = join(process.cwd(), 'migrations')) =>
  readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash)

/** Throws where a newer version has migrated this database. */
export async function refuseNewerDatabase(db: Database) {
  if (knowsMigrations(await findApplied(db))) return
  throw new ConfigError({
    fr:
      'Cette base a été mise à jour par une version plus récente du produit : celle-ci ne démarre pas avec elle. ' +
      'Démarrez la version plus récente, ou restaurez dans une base vide une copie de sécurité faite avant la mise à jour.',
    en:
      'This database was migrated by a newer version of Guichet, so this version does not start on it. ' +
      'Start the newer version, or restore a backup that was made before the update into an empty database.',
  })
}

type Tx = Pick<Database, 'execute'>

type Context = {
  largeTable: number
  /** Nobody else sees these tables before the commit, and later statements need their indexes. */
  created: Set<string>
}

/** A write waits behind a migration that waits for a table: it gives up soon, and tries again. */
const lockWaitMs = 100
const pauseMs = 250
const mostTries = 240

/** In a transaction of its own, while the caller's holds the advisory lock. */
async function applyAlone(db: Database, migration: MigrationMeta, context: Context) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(async (tx) => {
        await tx.execute(sql`set local statement_timeout to 0`)
        if (tries < mostTries) await tx.execute(sql.raw(`set local lock_timeout to ${lockWaitMs}`))
        await lockSources(tx, migration)
        await apply(tx, migration, context)
      })
    } catch (error) {
      const { code } = (error as { cause?: { code?: string } }).cause ?? {}
      if (code !== lockNotAvailable || tries === mostTries) throw error
      if (tries % 40 === 0) logger.warn({ tries }, 'the migration waits for a table that others use')
      await pause(pauseMs)
    }
  }
}

const lockNotAvailable = '55P03'

/** A row that another instance of the former version writes must not be missed where rows are copied. */
async function lockSources(tx: Tx, { sql: statements }: MigrationMeta) {
  const copies = statements.filter((statement) => /^\s*(--[^\n]*\s*)*INSERT\s+INTO\b/i.test(statement))
  const names = copies.flatMap((copy) =>
    [...copy.matchAll(/\b(?:FROM|JOIN)\s+(?:"?public"?\.)?"?(\w+)/gi)].map(([, name = '']) => name),
  )
  const tables = await query<{ name: string }>(
    tx,
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname = any(${sql.param(names)}::text[]) order by relname`,
  )
  for (const { name } of tables) await tx.execute(sql`lock table ${sql.identifier(name)} in share row exclusive mode`)
}

async function apply(tx: Tx, migration: MigrationMeta, { largeTable, created }: Context) {
  for (const statement of migration.sql) {
    const table = newTable.exec(statement)?.[1]
    if (table) created.add(table)
    const [, , index, indexed] = newIndex.exec(statement) ?? []
    const filled = filledTexts.exec(statement)?.[1]
    const source = filled && sources[filled]
    const isOldAndLarge = async (name: string) => !created.has(name) && (await isLarge(tx, name, largeTable))
    const [reference, referring, referenceName] = newReference.exec(statement) ?? []
    const [, unique, uniqueName, columns] = newUnique.exec(statement) ?? []
    if (index && indexed && (await isOldAndLarge(indexed))) {
      await postpone(tx, index, statement)
    } else if (referring && referenceName && (await isOldAndLarge(referring))) {
      await tx.execute(sql.raw(`${reference} NOT VALID`))
      await postpone(tx, referenceName, `ALTER TABLE "${referring}" VALIDATE CONSTRAINT "${referenceName}"`)
    } else if (unique && uniqueName && (await isOldAndLarge(unique))) {
      await postpone(tx, uniqueName, `CREATE UNIQUE INDEX "${uniqueName}" ON "${unique}" ${columns}`)
      await postpone(
        tx,
        constraintOf(uniqueName),
        `ALTER TABLE "${unique}" ADD CONSTRAINT "${uniqueName}" UNIQUE USING INDEX "${uniqueName}"`,
      )
    } else if (source && (await isLarge(tx, source.largest, Math.floor(largeTable / textCost)))) {
      await postpone(tx, filled, `fill ${filled}`)
    } else {
      await tx.execute(sql.raw(statement))
      if (statement.includes('_trigrams ON')) await postponeTrigrams(tx)
    }
  }
  await tx.execute(sql`insert into migrations (hash) values (${migration.hash})`)
}

const constraintOf = (index: string) => `${index} (constraint)`

/** Built at the end: row by row, an index of trigrams takes ten times as long. */
async function postponeTrigrams(tx: Tx) {
  for (const { name: table } of await findLateWork(tx)) {
    const indexes = await query<{ name: string; statement: string }>(
      tx,
      sql`select indexname as name, indexdef as statement from pg_indexes
        where tablename = ${table} and indexname = ${`${table}_trigrams`}`,
    )
    for (const { name, statement } of indexes) {
      await postpone(tx, name, statement)
      await tx.execute(sql`drop index ${sql.identifier(name)}`)
    }
  }
}

/** False on the embedded database: there is one connection, so nobody could write meanwhile anyway. */
async function isLarge(tx: Tx, table: string, largeTable: number) {
  const found = await query<{ large: boolean }>(
    tx,
    sql`select version() not like '%PGlite%' and pg_relation_size(to_regclass(${`public.${table}`})) > ${largeTable} as large`,
  )
  return found[0]?.large === true
}

async function isAnyLarge(tx: Tx, largeTable: number) {
  const found = await query<{ large: boolean }>(
    tx,
    sql`select version() not like '%PGlite%' and exists (select from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > ${largeTable}) as large`,
  )
  return found[0]?.large === true
}

async function postpone(tx: Tx, name: string, statement: string) {
  await tx.execute(sql`create table if not exists late_indexes (name text primary key, statement text not null)`)
  await tx.execute(sql`insert into late_indexes values (${name}, ${statement})`)
}

/** Texts are made with the help of the indexes, and have their own index afterwards. */
async function findLateWork(tx: Tx) {
  const order = (name: string) => (name in sources ? 1 : name.endsWith('_trigrams') ? 2 : 0)
  const [table] = await query<{ found: string | null }>(tx, sql`select to_regclass('public.late_indexes') as found`)
  if (!table?.found) return []
  const rows = await query<{ name: string; statement: string }>(tx, sql`select name, statement from late_indexes order by name`)
  return rows.toSorted((a, b) => order(a.name) - order(b.name))
}

/** The transaction only holds the lock: an index is built concurrently outside of transactions alone. */
async function doLateWork(db: Database) {
  const { $client: pool } = db as unknown as { $client: Pool }
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout to 0`)
    await tx.execute(sql`set local idle_in_transaction_session_timeout to 0`)
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`)
    const client = await pool.connect()
    try {
      await client.query('set statement_timeout to 0')
      for (const { name, statement } of await findLateWork(tx)) {
        const source = sources[name]
        if (source) {
          await fillTexts(client, source)
          continue
        }
        await (statement.startsWith('ALTER') ? endConstraint(client, statement) : buildIndex(client, name, statement))
      }
      // New columns and indexes of expressions have no statistics, without which whole tables are read until the next night.
      await client.query('analyze')
    } finally {
      // Closed, because the setting belongs to the session.
      client.release(true)
    }
    await tx.execute(sql`drop table if exists late_indexes`)
  })
}

async function buildIndex(client: PoolClient, name: string, statement: string) {
  const { rowCount } = await client.query('select from pg_constraint where conname = $1', [name])
  // It belongs to a constraint already.
  if (rowCount) return
  logger.info({ index: name }, 'building an index')
  // An interrupted build leaves an invalid index.
  await client.query(`drop index concurrently if exists "${name}"`)
  await client.query(statement.replace(/INDEX\s+/i, 'INDEX CONCURRENTLY '))
}

async function endConstraint(client: PoolClient, statement: string) {
  logger.info({ statement }, 'checking a constraint')
  const [, name] = /CONSTRAINT "(\w+)"/.exec(statement) ?? []
  const { rows } = await client.query<{ valid: boolean }>('select convalidated as valid from pg_constraint where conname = $1', [
    name,
  ])
  // A later migration may have removed it, and an interrupted start may have ended it.
  const isDue = statement.includes('VALIDATE') ? rows[0]?.valid === false : rows.length === 0
  if (isDue) await client.query(statement)
}

/** In parts, because a change of a chat waits for the part that holds it. */
async function fillTexts(client: PoolClient, { table, fill }: { table: string; fill: string }) {
  // Without statistics of a new column, its index is not used.
  await client.query(`analyze ${table}`)
  const { rows } = await client.query<{ last: number | null }>(`select max(id) as last from ${table}`)
  const last = rows[0]?.last ?? 0
  const parts = new Set<number>()
  for (let below = 0; below < last; below += textsAtOnce) {
    await client.query(fill, [below, below + textsAtOnce])
    const tenth = Math.floor((10 * below) / last)
    if (!parts.has(tenth)) logger.info({ table, done: below, last }, 'filling the texts for searches')
    parts.add(tenth)
  }
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
