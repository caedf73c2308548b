import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { LocalizedError } from '../localized-error.ts'
import type { Database } from '../database/database.ts'
import { tryToHoldMigrations } from '../database/migrate.ts'
import type { Lines } from './copy-out.ts'
import { connectionOf, copyOut } from './copy-out.ts'

/** A dumped table: its rows and the SHA-256 of its file. */
export type DumpedTable = { name: string; rows: number; sha256: string }
export type Dump = { migrations: string[]; tables: DumpedTable[] }

export class BackupError extends LocalizedError {}

/** Called with the number of rows done so far; the total is null where it is unknown. */
export type Progress = (done: number, total: number | null) => void

/** Limits of one query, which bound the memory: most rows are short, but one with a file takes hundreds of kilobytes. */
const most = { rows: 1_000, bytes: 1_000_000, rowsWithBytes: 8 }
const readBytes = 128 * 1_024
const fileOf = (folder: string, table: string) => join(folder, `${table}.ndjson`)

/**
 * Writes every table as JSON lines from one snapshot, on either kind of database. A migration waits until the dump is
 * complete, and the dump until a migration is. `onTable` gets each file as soon as it is complete.
 */
export async function dumpDatabase(
  db: Database,
  folder: string,
  onProgress: Progress = () => undefined,
  onTable: (file: string) => void = () => undefined,
): Promise<Dump> {
  for (;;) {
    const dump = await db.transaction(
      async (tx) => {
        if (!(await tryToHoldMigrations(tx))) return null
        await prepareSession(tx)
        const names = await findTables(tx)
        const counter = createCounter(await estimateRows(tx, names), onProgress)
        const tables: DumpedTable[] = []
        for (const name of names) {
          tables.push(await dumpTable(tx, name, fileOf(folder, name), counter))
          onTable(fileOf(folder, name))
        }
        return { migrations: await findMigrations(tx), tables }
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    if (dump) return dump
    await pause(200)
  }
}

/**
 * Loads a dump into the empty tables of a database at the same migration, in one transaction, and verifies the checksums of the
 * result.
 */
export async function loadDatabase(
  db: Database,
  folder: string,
  dump: Dump,
  onProgress: Progress = () => undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    await prepareSession(tx)
    // The texts for searches are in the dump: triggers would make each of them once for every message.
    await tx.execute(sql`select set_config('guichet.loads_backup', 'on', true)`)
    const large = dump.tables.filter(({ rows }) => rows >= largeTable).map(({ name }) => name)
    const indexes = await dropIndexes(tx, large)
    // Each row is written, then read again to verify it.
    const counter = createCounter(2 * dump.tables.reduce((sum, { rows }) => sum + rows, 0), onProgress)
    const enforce = await deferReferences(tx)
    const present = new Set(await findTables(tx))
    const wanted = new Map(dump.tables.map((table) => [table.name, table]))
    const missing = dump.tables.find(({ name }) => !present.has(name))
    if (missing)
      throw new BackupError({
        fr: `La table ${missing.name} de la copie de sécurité n’est pas dans cette base.`,
        en: `The table ${missing.name} of the backup is not in this database.`,
      })
    for (const name of await orderByReferences(tx, [...present])) {
      const table = wanted.get(name)
      if (!table) continue
      if ((await digestOf(fileOf(folder, name))) !== table.sha256)
        throw new BackupError({
          fr: `${name} est endommagée dans la copie de sécurité.`,
          en: `${name} is damaged in the backup.`,
        })
      await loadTable(tx, name, fileOf(folder, name), counter).catch((cause: unknown) => {
        const texts = {
          fr: `${name} contient des lignes que cette base ne prend pas.`,
          en: `${name} holds rows that this database does not take.`,
        }
        throw new BackupError(texts, 'refused', { cause })
      })
      await followSequences(tx, name)
      const loaded = await digestTable(tx, name, counter)
      if (loaded.rows !== table.rows || loaded.sha256 !== table.sha256) {
        throw new BackupError({
          fr: `${name} n’est pas ce qui a été copié : ${loaded.rows} lignes au lieu de ${table.rows}, ou d’autres.`,
          en: `${name} is not what was backed up: ${loaded.rows} rows instead of ${table.rows}, or other ones.`,
        })
      }
    }
    await enforce()
    for (const { statement } of indexes) await tx.execute(sql.raw(statement))
    for (const name of large) await tx.execute(sql`analyze ${sql.identifier(name)}`)
  })
}

const largeTable = 1_000

/** Building an index at the end takes a fraction of the time of filling it row by row. Keys stay: the rows are read by them. */
async function dropIndexes(tx: Database, tables: readonly string[]) {
  const indexes = await query<{ name: string; statement: string }>(
    tx,
    sql`select relname as name, pg_get_indexdef(indexrelid) as statement from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace and not indisprimary
        and indrelid in (select to_regclass(quote_ident(name)) from unnest(${sql.param([...tables])}::text[]) name)
        and not exists (select from pg_constraint where conindid = indexrelid) order by relname`,
  )
  for (const { name } of indexes) await tx.execute(sql`drop index ${sql.identifier(name)}`)
  return indexes
}

/** Without the time zone, checksums would differ between machines. The time limits are meant for requests, not for a large table. */
export async function prepareSession(tx: Database) {
  await tx.execute(sql`set local timezone to 'UTC'`)
  await tx.execute(sql`set local statement_timeout to 0`)
  await tx.execute(sql`set local idle_in_transaction_session_timeout to 0`)
}

type Counter = (rows: number) => void

function createCounter(total: number, onProgress: Progress): Counter {
  let done = 0
  return (rows) => {
    done += rows
    onProgress(done, Math.max(total, done))
  }
}

/** Rows of these tables as the statistics have them; a table that was never analyzed is counted. */
export async function estimateRows(db: Database, names: readonly string[]) {
  const tables = await query<{ name: string; rows: number }>(
    db,
    sql`select relname as name, reltuples::float8 as rows from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace and relname = any(${sql.param([...names])}::text[])`,
  )
  let total = 0
  for (const { name, rows } of tables) total += rows >= 0 ? rows : await countRows(db, name)
  return Math.round(total)
}

async function countRows(db: Database, name: string) {
  const [counted] = await query<{ rows: number }>(db, sql`select count(*)::float8 as rows from ${sql.identifier(name)}`)
  return counted?.rows ?? 0
}

/** True for a database without data. */
export async function isEmptyDatabase(db: Database) {
  for (const name of await findTables(db)) {
    if ((await query(db, sql`select 1 from ${sql.identifier(name)} limit 1`)).length > 0) return false
  }
  return true
}

async function dumpTable(db: Database, name: string, path: string, counter: Counter): Promise<DumpedTable> {
  const hash = createHash('sha256')
  let rows = 0
  const chunks = async function* () {
    for await (const lines of readTable(db, name)) {
      hash.update(lines.bytes)
      rows += lines.rows
      counter(lines.rows)
      yield lines.bytes
    }
  }
  await pipeline(chunks, createWriteStream(path, { mode: 0o600 }))
  return { name, rows, sha256: hash.digest('hex') }
}

async function digestTable(db: Database, name: string, counter: Counter) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const lines of readTable(db, name)) {
    hash.update(lines.bytes)
    rows += lines.rows
    counter(lines.rows)
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Reads every row as JSON, in the byte order of the primary key, which does not depend on the collation. */
async function* readTable(db: Database, name: string): AsyncGenerator<Lines> {
  const quote = (word: string) => `"${word.replaceAll('"', '""')}"`
  const keys = await findKeys(db, name)
  const order = keys.map(({ column, isText }) => `${quote(column)}${isText ? ' collate "C"' : ''}`).join(', ')
  const query = `select to_jsonb(${quote(name)})::text as line from ${quote(name)} order by ${order}`
  const connection = connectionOf(db)
  if (connection) yield* copyOut(connection, query)
  else yield* readByCursor(db, query, (await hasBytes(db, name)) ? most.rowsWithBytes : most.rows)
}

/** A cursor reads each row once; OFFSET would read all rows before a page again. */
async function* readByCursor(db: Database, statement: string, mostRows: number): AsyncGenerator<Lines> {
  await db.execute(sql.raw(`declare dumped no scroll cursor for ${statement}`))
  for (let wanted = Math.min(64, mostRows); ;) {
    const rows = await query<{ line: string }>(db, sql`fetch ${sql.raw(String(wanted))} from dumped`)
    const text = rows.map(({ line }) => `${line}\n`).join('')
    if (rows.length > 0) yield { bytes: Buffer.from(text), rows: rows.length }
    if (rows.length < wanted) break
    wanted = Math.max(1, Math.min(mostRows, 4 * wanted, Math.floor((wanted * most.bytes) / text.length)))
  }
  await db.execute(sql`close dumped`)
}

async function hasBytes(db: Database, name: string) {
  const rows = await query(
    db,
    sql`select 1 from pg_attribute where attrelid = quote_ident(${name})::regclass and atttypid = 'bytea'::regtype
      and not attisdropped limit 1`,
  )
  return rows.length > 0
}

async function loadTable(db: Database, name: string, path: string, counter: Counter) {
  const table = sql.identifier(name)
  const isPostgres = connectionOf(db) !== null
  for await (const { bytes, rows } of readBatches(path)) {
    // The driver sends a buffer as it is; of binary JSON the first byte is the version.
    const batch = isPostgres ? Buffer.concat([jsonVersion, bytes]) : bytes.toString()
    await db.execute(sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${batch}::jsonb)`)
    counter(rows)
  }
}

const jsonVersion = Buffer.from([1])
const codeOf = (letter: string) => letter.charCodeAt(0)
const [newline, comma, bracket, closing] = [codeOf('\n'), codeOf(','), codeOf('['), codeOf(']')]

/** The lines of a file as JSON lists, without a string for each of them: a garbage collector would come too late. */
async function* readBatches(path: string): AsyncGenerator<Lines> {
  let parts: Buffer[] = []
  let [length, rows] = [0, 0]
  const takeBatch = () => {
    // The last newline becomes the end of the list.
    const bytes = Buffer.concat([Buffer.from([bracket]), ...parts])
    bytes[bytes.length - 1] = closing
    const batch = { bytes, rows }
    parts = []
    length = 0
    rows = 0
    return batch
  }
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) {
      rows += 1
      chunk[at] = comma
      if (rows < most.rows && length + at - from < most.bytes) continue
      parts.push(chunk.subarray(from, at + 1))
      from = at + 1
      yield takeBatch()
    }
    parts.push(chunk.subarray(from))
    length += chunk.length - from
  }
  if (rows > 0) yield takeBatch()
}

/** Explicit ids do not advance the sequence. */
export async function followSequences(db: Database, name: string) {
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
export async function orderByReferences(db: Database, tables: string[]) {
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
    if (next.length === 0)
      throw new BackupError({
        fr: `Ces tables se renvoient l’une à l’autre : ${[...left].join(', ')}.`,
        en: `These tables refer to one another: ${[...left].join(', ')}.`,
      })
    for (const name of next) left.delete(name)
    ordered.push(...next)
  }
  return ordered
}

/**
 * Checks references of a table to itself at the end only, because a row may refer to one of a later batch. The returned function
 * checks them.
 */
export async function deferReferences(tx: Database) {
  const found = await query<{ table: string; name: string }>(
    tx,
    sql`select relname as table, conname as name from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and conrelid = confrelid and relnamespace = 'public'::regnamespace and not condeferrable`,
  )
  const alter = ({ table, name }: (typeof found)[number], how: string) =>
    tx.execute(sql`alter table ${sql.identifier(table)} alter constraint ${sql.identifier(name)} ${sql.raw(how)}`)
  for (const one of found) await alter(one, 'deferrable initially deferred')
  // Those of triggers too: an open conversation may come before its technician.
  await tx.execute(sql`set constraints all deferred`)
  return async () => {
    await tx.execute(sql`set constraints all immediate`)
    for (const one of found) await alter(one, 'not deferrable')
  }
}

/** Excludes what the migrations keep for themselves. */
async function findTables(db: Database) {
  const rows = await query<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'late_indexes') order by tablename`,
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
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch {
    return null
  }
  return hash.digest('hex')
}
