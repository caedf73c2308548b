import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'

/** A dumped table: its rows and the SHA-256 of its file. */
export type DumpedTable = { name: string; rows: number; sha256: string }
export type Dump = { migrations: string[]; tables: DumpedTable[] }

export class BackupError extends Error {}

/** Rows per query; a row with a photo takes some hundred kilobytes. */
const page = 200
const fileOf = (folder: string, table: string) => join(folder, `${table}.ndjson`)

/** Writes every table as JSON lines from one snapshot, on either kind of database. */
export async function dumpDatabase(db: Database, folder: string): Promise<Dump> {
  return db.transaction(
    async (tx) => {
      await setTimeFormat(tx)
      const tables: DumpedTable[] = []
      for (const name of await findTables(tx)) tables.push(await dumpTable(tx, name, fileOf(folder, name)))
      return { migrations: await findMigrations(tx), tables }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/**
 * Loads a dump into the empty tables of a database at the same migration, in one transaction, and verifies the checksums of the
 * result.
 */
export async function loadDatabase(db: Database, folder: string, dump: Dump): Promise<void> {
  await db.transaction(async (tx) => {
    await setTimeFormat(tx)
    const present = new Set(await findTables(tx))
    const wanted = new Map(dump.tables.map((table) => [table.name, table]))
    const missing = dump.tables.find(({ name }) => !present.has(name))
    if (missing) throw new BackupError(`The table ${missing.name} of the backup is not in this database.`)
    for (const name of await orderByReferences(tx, [...present])) {
      const table = wanted.get(name)
      if (!table) continue
      if ((await digestOf(fileOf(folder, name))) !== table.sha256) throw new BackupError(`${name} is damaged in the backup.`)
      await loadTable(tx, name, fileOf(folder, name)).catch((cause: unknown) => {
        throw new BackupError(`${name} holds rows that this database does not take.`, { cause })
      })
      await followSequences(tx, name)
      const loaded = await digestTable(tx, name)
      if (loaded.rows !== table.rows || loaded.sha256 !== table.sha256) {
        throw new BackupError(`${name} is not what was backed up: ${loaded.rows} rows instead of ${table.rows}, or other ones.`)
      }
    }
  })
}

/** Sets the time zone and format of the session, or checksums would differ between machines. */
async function setTimeFormat(tx: Database) {
  await tx.execute(sql`set local timezone to 'UTC'`)
}

/** True for a database without data. */
export async function isEmptyDatabase(db: Database) {
  for (const name of await findTables(db)) {
    if ((await query(db, sql`select 1 from ${sql.identifier(name)} limit 1`)).length > 0) return false
  }
  return true
}

async function dumpTable(db: Database, name: string, path: string): Promise<DumpedTable> {
  const file = createWriteStream(path, { mode: 0o600 })
  const hash = createHash('sha256')
  let rows = 0
  for await (const line of linesOf(db, name)) {
    rows += 1
    hash.update(line)
    if (!file.write(line)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
  return { name, rows, sha256: hash.digest('hex') }
}

async function digestTable(db: Database, name: string) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const line of linesOf(db, name)) {
    rows += 1
    hash.update(line)
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Every row as a JSON line, in the byte order of its primary key, which does not depend on the collation. */
async function* linesOf(db: Database, name: string) {
  const table = sql.identifier(name)
  const keys = await findKeys(db, name)
  const order = sql.join(
    keys.map(({ column, isText }) => (isText ? sql`${sql.identifier(column)} collate "C"` : sql`${sql.identifier(column)}`)),
    sql`, `,
  )
  for (let offset = 0; ; offset += page) {
    const rows = await query<{ line: string }>(
      db,
      sql`select to_jsonb(${table})::text as line from ${table} order by ${order} limit ${page} offset ${offset}`,
    )
    for (const { line } of rows) yield `${line}\n`
    if (rows.length < page) return
  }
}

async function loadTable(db: Database, name: string, path: string) {
  const table = sql.identifier(name)
  const file = await open(path)
  try {
    let lines: string[] = []
    const flush = async () => {
      if (lines.length === 0) return
      const rows = `[${lines.join(',')}]`
      lines = []
      await db.execute(sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${rows}::jsonb)`)
    }
    for await (const line of createInterface({ input: file.createReadStream() })) {
      lines.push(line)
      if (lines.length >= page) await flush()
    }
    await flush()
  } finally {
    await file.close()
  }
}

/** Explicit ids do not advance the sequence. */
async function followSequences(db: Database, name: string) {
  const columns = await query<{ column: string; sequence: string }>(
    db,
    sql`select column_name as column, pg_get_serial_sequence(quote_ident(${name}), column_name) as sequence
      from information_schema.columns where table_schema = 'public' and table_name = ${name}`,
  )
  for (const { column, sequence } of columns) {
    if (!sequence) continue
    const highest = sql`(select max(${sql.identifier(column)}) from ${sql.identifier(name)})`
    await db.execute(sql`select setval(${sequence}::regclass, coalesce(${highest}, 1), ${highest} is not null)`)
  }
}

/** Sorts tables after those they reference. */
async function orderByReferences(db: Database, tables: string[]) {
  const references = await query<{ from: string; to: string }>(
    db,
    sql`select from_table.relname as "from", to_table.relname as "to" from pg_constraint
      join pg_class from_table on from_table.oid = conrelid join pg_class to_table on to_table.oid = confrelid
      where contype = 'f' and conrelid <> confrelid`,
  )
  const ordered: string[] = []
  const left = new Set(tables)
  while (left.size > 0) {
    const next = [...left].filter((name) => !references.some(({ from, to }) => from === name && left.has(to)))
    if (next.length === 0) throw new BackupError(`These tables refer to one another: ${[...left].join(', ')}.`)
    for (const name of next) left.delete(name)
    ordered.push(...next)
  }
  return ordered
}

/** Excludes the table of migrations. */
async function findTables(db: Database) {
  const rows = await query<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by tablename`,
  )
  return rows.map(({ name }) => name)
}

async function findMigrations(db: Database) {
  return (await query<{ hash: string }>(db, sql`select hash from migrations`)).map(({ hash }) => hash)
}

async function findKeys(db: Database, name: string) {
  return query<{ column: string; isText: boolean }>(
    db,
    sql`select attname as column, typname in ('text', 'varchar') as "isText" from pg_index
      join pg_attribute on attrelid = indrelid and attnum = any(indkey) join pg_type on pg_type.oid = atttypid
      where indrelid = quote_ident(${name})::regclass and indisprimary order by array_position(indkey::int2[], attnum)`,
  )
}

async function query<T>(db: Database, statement: Parameters<Database['execute']>[0]) {
  return ((await db.execute(statement)) as { rows: T[] }).rows
}

async function digestOf(path: string) {
  const contents = await readFile(path).catch(() => null)
  return contents && createHash('sha256').update(contents).digest('hex')
}
