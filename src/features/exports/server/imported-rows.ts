import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { findColumns, findExportedTables, findKeys, keysAsText, query } from './archive.ts'
import { importedRows } from './table.ts'

/** Columns that the product changes by itself, which is no edit of the row. */
const passingColumns: Readonly<Record<string, readonly string[]>> = {
  chats: ['staff_read_seq', 'visitor_read_seq'],
  network_subscribers: ['link_sent_at', 'bounces', 'bounce_reason'],
  redirects: ['hits', 'last_hit'],
  requests: ['late_notice_at'],
  users: ['last_login_at', 'imported'],
}
/** Tables that the product fills by itself: their rows go, whatever was counted since, and hold nothing back. */
export const countingTables: ReadonlySet<string> = new Set([
  ...['announced_pages', 'article_reads', 'article_votes', 'missing_addresses', 'network_element_changes'],
  ...['network_element_months', 'network_monitor_events', 'network_monitor_figures', 'search_misses', 'visit_counts'],
])
/** Entries of a journal stay with it, and are not listed one by one. */
const isJournalPart = (name: string) => name.startsWith('journal') || name === 'former_journal_entries'

/** Hash of what somebody may have edited in a row; bytes never change. */
async function markOf(db: Database, name: string): Promise<SQL> {
  if (countingTables.has(name)) return sql`''`
  const columns = (await findColumns(db, name)).filter(
    (column) => column.type !== 'bytea' && column.name !== 'unused_since' && !passingColumns[name]?.includes(column.name),
  )
  const list = sql.join(
    columns.map((column) => sql`stored.${sql.identifier(column.name)}`),
    sql`, `,
  )
  // A password that was set since is an edit too.
  const secret = name === 'users' ? sql`coalesce(stored.password_hash, '')` : sql`''`
  return sql`md5((select to_jsonb(part) from (select ${list}) as part)::text || ${secret})`
}

/** Rows of a table with their key and mark, and place. */
export async function markedRows(db: Database, name: string) {
  const keys = await findKeys(db, name)
  const mark = await markOf(db, name)
  return sql`(select stored.*, stored.ctid as row_place, ${keysAsText(keys)}::text as row_key, ${mark} as row_mark from ${sql.identifier(name)} as stored)`
}

/** What the product had before the import, which the import is not. */
export type OwnRows = { users: readonly number[]; groups: readonly number[]; mails: readonly number[] }

/** Remembers every row that an archive brought, in the transaction that stored them: all but those that were here before. */
export async function rememberRows(tx: Database, importId: number, own: OwnRows) {
  for (const name of await findExportedTables(tx)) {
    if (isJournalPart(name)) continue
    const before = name in own ? own[name as keyof OwnRows] : []
    const isNew = before.length > 0 ? sql`id <> all(${sql.param([...before])}::int[])` : sql`true`
    await tx.execute(sql`
      insert into ${importedRows} (import_id, table_name, row_key, mark)
      select ${importId}, ${name}, row_key, row_mark from ${await markedRows(tx, name)} as marked where ${isNew}`)
  }
}

/** Remembers what is outside of the database. */
export async function rememberCompanyFiles(tx: Database, importId: number) {
  await tx.insert(importedRows).values({ importId, tableName: companyFiles, rowKey: '', mark: '' })
}

/** Stands for the company's own files among the tables. */
export const companyFiles = 'company/'

export async function findRememberedTables(db: Database, importId: number) {
  const rows = await query<{ name: string }>(
    db,
    sql`select distinct table_name as name from ${importedRows} where import_id = ${importId} order by 1`,
  )
  return rows.map(({ name }) => name)
}
