import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { ZipWriter } from '@zip.js/zip.js'
import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import { estimateRows } from '#src/server/backup/dump.ts'
import { secretMarker } from '#src/server/background/mail-secrets.ts'
import type { App } from '#src/server/types.ts'
import type { Database } from '#src/server/database/database.ts'
import { describeExport } from './readme.ts'
import { leftOutColumns, leftOutTables, ownTables } from './left-out.ts'

type Key = { column: string; type: string }
type Column = { name: string; type: string; isNullable: boolean }
export type ExportedKind = { kind: string; rows: number }
/** `missing`: files that were not where they should be. */
export type ExportSummary = { kinds: ExportedKind[]; missing: string[]; bytes: number }
export type Progress = (done: number, total: number | null) => Promise<void>

const rowsAtOnce = 500
const rowsWithBytes = 8

/** Tables that hold files in pieces, and the folder of their files. */
export const pieceTables = [
  ['chat_file_pieces', 'file_id', 'chat_files'],
  ['request_file_pieces', 'file_id', 'request_files'],
  ['inbox_pieces', 'mail_id', 'inbox_mails'],
  ['application_file_pieces', 'file_id', 'application_files'],
] as const

/**
 * Writes everything but secrets into one archive: each kind as JSON Lines in the order of its ids with its JSON Schema, files,
 * a description and checksums. Rows are read in parts, so that neither memory nor the pages of the site wait for it. Throws
 * `signal.reason` where it is stopped.
 */
export async function writeArchive(app: App, path: string, onProgress: Progress, signal: AbortSignal): Promise<ExportSummary> {
  const part = `${path}.part`
  const file = createWriteStream(part, { mode: 0o600 })
  const zip = new ZipWriter(Writable.toWeb(file), { zip64: true, useWebWorkers: false, extendedTimestamp: false })
  const sums: string[] = []
  const add = async (name: string, chunks: AsyncIterable<Uint8Array>) => {
    const hash = createHash('sha256')
    const hashed = async function* () {
      for await (const chunk of chunks) {
        signal.throwIfAborted()
        hash.update(chunk)
        yield chunk
      }
    }
    await zip.add(name, Readable.toWeb(Readable.from(hashed(), { objectMode: false })) as ReadableStream<Uint8Array>)
    sums.push(`${hash.digest('hex')}  ${name}`)
  }
  const secretPaths = app.features.flatMap((feature) => feature.secretPaths ?? [])
  const addText = (name: string, text: string) => add(name, once(Buffer.from(text)))

  const writeAll = async (db: Database) => {
    const names = await findExportedTables(db)
    const total = await estimateRows(db, names)
    let done = 0
    const kinds: ExportedKind[] = []
    for (const kind of names) {
      const columns = await findColumns(db, kind)
      let rows = 0
      const count = async (more: number) => {
        rows += more
        done += more
        await onProgress(done, total)
      }
      await add(`${kind}.jsonl`, readLines(db, kind, columns, secretPaths, count))
      await addText(`${kind}.schema.json`, `${JSON.stringify(schemaOf(kind, columns), null, 2)}\n`)
      kinds.push({ kind, rows })
    }
    const missing: string[] = []
    for await (const { name, chunks } of findFiles(app, db)) {
      if (chunks) await add(`files/${name}`, chunks)
      else missing.push(`files/${name}`)
    }
    await addText('README.md', describeExport({ kinds, tables: leftOutTables, columns: leftOutColumns, missing }))
    await zip.add(
      'SHA256SUMS',
      Readable.toWeb(Readable.from(once(Buffer.from(`${sums.join('\n')}\n`)))) as ReadableStream<Uint8Array>,
    )
    await zip.close()
    return { kinds, missing }
  }
  try {
    // The embedded database has one connection, which pages need between two parts.
    const isEmbedded = app.config.databaseUrl === undefined
    const written = isEmbedded
      ? await writeAll(app.db)
      : await app.db.transaction(
          async (tx) => {
            await tx.execute(sql`set local statement_timeout to 0`)
            await tx.execute(sql`set local idle_in_transaction_session_timeout to 0`)
            return writeAll(tx)
          },
          { isolationLevel: 'repeatable read', accessMode: 'read only' },
        )
    await rename(part, path)
    return { ...written, bytes: (await stat(path)).size }
  } catch (error) {
    file.destroy()
    throw error
  } finally {
    await rm(part, { force: true })
  }
}

/** Every table that is not declared as left out. */
export async function findExportedTables(db: Database) {
  const rows = await query<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename collate "C"`,
  )
  return rows.map(({ name }) => name).filter((name) => !ownTables.includes(name) && !(name in leftOutTables))
}

export async function findColumns(db: Database, table: string): Promise<Column[]> {
  const columns = await query<Column>(
    db,
    sql`select column_name as name, udt_name as type, is_nullable = 'YES' as "isNullable" from information_schema.columns
      where table_schema = 'public' and table_name = ${table} order by ordinal_position`,
  )
  return columns.filter(({ name }) => !leftOutColumns[table]?.includes(name))
}

/** The columns of its primary key. */
export async function findKeys(db: Database, table: string) {
  return query<Key>(
    db,
    sql`select attname as column, format_type(atttypid, atttypmod) as type from pg_index
      join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where indrelid = quote_ident(${table})::regclass and indisprimary order by array_position(indkey::int2[], attnum)`,
  )
}

const textTypes = new Set(['text', 'character varying'])
const byBytes = ({ column, type }: Key) => sql`${sql.identifier(column)}${sql.raw(textTypes.has(type) ? ' collate "C"' : '')}`
const inOrder = (keys: readonly Key[]) => sql.join(keys.map(byBytes), sql`, `)

/** The rows after a key, in the order of the keys. */
function rowsAfter(keys: readonly Key[], last: readonly string[] | null): SQL {
  if (!last) return sql`true`
  const values = keys.map(({ type }, index) => sql`${last[index]}::text::${sql.raw(type)}`)
  return sql`(${inOrder(keys)}) > (${sql.join(values, sql`, `)})`
}

/** The key of a row as a list of texts. */
export const keysAsText = (keys: readonly Key[]) =>
  sql`jsonb_build_array(${sql.join(
    keys.map(({ column }) => sql`${sql.identifier(column)}::text`),
    sql`, `,
  )})`

/** The rows of a kind as lines of JSON, without what is left out; bytes are files. */
async function* readLines(
  db: Database,
  table: string,
  columns: readonly Column[],
  secretPaths: readonly string[],
  count: (rows: number) => Promise<void>,
) {
  const keys = await findKeys(db, table)
  const bytes = columns.filter(({ type }) => type === 'bytea').map(({ name }) => name)
  const without = JSON.stringify([...(leftOutColumns[table] ?? []), ...bytes])
  // What an import changed about a user is not their own.
  const whole = table === 'users' ? sql`to_jsonb(users) || coalesce(imported, '{}')` : sql`to_jsonb(${sql.identifier(table)})`
  const row = sql`(${whole}) - array(select jsonb_array_elements_text(${without}::jsonb))`
  for (let last: string[] | null = null; ;) {
    const rows: { line: string; keys: string[] }[] = await query(
      db,
      sql`select (${row})::text as line, ${keysAsText(keys)} as keys from ${sql.identifier(table)}
        where ${rowsAfter(keys, last)} order by ${inOrder(keys)} limit ${rowsAtOnce}`,
    )
    // Mails and messages hold the addresses that customers open without signing in.
    const lines = rows.map(({ line }) => `${withoutTokens(line, secretPaths)}\n`)
    if (lines.length > 0) yield Buffer.from(lines.join(''))
    await count(rows.length)
    if (rows.length < rowsAtOnce) return
    last = rows.at(-1)?.keys ?? null
  }
}

/** Tokens have 128 bits or more, as base64url. */
const withoutTokens = (line: string, secretPaths: readonly string[]) =>
  secretPaths.reduce(
    (text, path) =>
      text
        .split(path)
        .map((part, index) => (index === 0 ? part : part.replace(/^[A-Za-z0-9_-]{22,}/, secretMarker)))
        .join(path),
    line,
  )

type ExportedFile = { name: string; chunks: AsyncIterable<Uint8Array> | null }

/** The files of the database, those that features store elsewhere, and the company's own. */
async function* findFiles(app: App, db: Database): AsyncGenerator<ExportedFile> {
  for (let last: string[] | null = null; ;) {
    const keys = await findKeys(db, 'pictures')
    const rows: { keys: string[]; bytes: Uint8Array }[] = await query(
      db,
      sql`select ${keysAsText(keys)} as keys, bytes from pictures where ${rowsAfter(keys, last)} order by ${inOrder(keys)} limit ${rowsWithBytes}`,
    )
    for (const { keys: [key, width, format] = [], bytes } of rows)
      yield { name: `pictures/${key}-${width}.${format}`, chunks: once(bytes) }
    if (rows.length < rowsWithBytes) break
    last = rows.at(-1)?.keys ?? null
  }
  for (const [table, owner, folder] of pieceTables) {
    for (let last = 0; ;) {
      const [row]: { id: number }[] = await query(
        db,
        sql`select min(${sql.identifier(owner)}) as id from ${sql.identifier(table)} where ${sql.identifier(owner)} > ${last}`,
      )
      if (!row?.id) break
      last = row.id
      yield { name: `${folder}/${last}`, chunks: readPieces(db, table, owner, last) }
    }
  }
  for (const one of app.exportedFiles) yield* one(app, db)
  const entries = await readdir(app.config.companyDir, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : [])).toSorted()
  for (const path of paths) {
    yield {
      name: `company/${path.slice(app.config.companyDir.length + 1).replaceAll('\\', '/')}`,
      chunks: createReadStream(path),
    }
  }
}

async function* readPieces(db: Database, table: string, owner: string, id: number) {
  for (let position = -1; ;) {
    const [piece]: { position: number; bytes: Uint8Array }[] = await query(
      db,
      sql`select position, bytes from ${sql.identifier(table)} where ${sql.identifier(owner)} = ${id} and position > ${position}
        order by position limit 1`,
    )
    if (!piece) return
    position = piece.position
    yield piece.bytes
  }
}

const types: Record<string, object> = {
  int2: { type: 'integer' },
  int4: { type: 'integer' },
  int8: { type: 'integer' },
  float4: { type: 'number' },
  float8: { type: 'number' },
  numeric: { type: 'number' },
  bool: { type: 'boolean' },
  timestamptz: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  jsonb: {},
  json: {},
}

function schemaOf(kind: string, columns: readonly Column[]) {
  const shown = columns.filter(({ type }) => type !== 'bytea')
  const typeOf = ({ type, isNullable }: Column) => {
    const base = type.startsWith('_')
      ? { type: 'array', items: types[type.slice(1)] ?? { type: 'string' } }
      : (types[type] ?? { type: 'string' })
    return isNullable && 'type' in base ? { ...base, type: [base.type, 'null'] } : base
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    type: 'object',
    properties: Object.fromEntries(shown.map((column) => [column.name, typeOf(column)])),
    required: shown.map(({ name }) => name),
    additionalProperties: false,
  }
}

async function* once(bytes: Uint8Array) {
  yield await Promise.resolve(bytes)
}

export async function query<T>(db: Database, statement: SQL) {
  return ((await db.execute(statement)) as { rows: T[] }).rows
}
