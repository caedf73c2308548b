import { getTableName, sql } from 'drizzle-orm'
import type { LeftEntry } from '#src/features/content/server/importing.ts'
import { isShownIn } from '#src/features/content/server/pictures.ts'
import type { Label } from '#src/lib/feature.ts'
import { deferReferences, orderByReferences, prepareSession } from '#src/server/backup/dump.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { findExportedTables, query } from './archive.ts'
import { companyFiles, countingTables, findRememberedTables, markedRows } from './imported-rows.ts'
import { importedRows } from './table.ts'

/** What no undo takes away, and why. */
const staying: Readonly<Record<string, { label: Label; reason: Label }>> = {
  former_journals: {
    label: { fr: 'Ancien journal d’audit', en: 'Former audit log' },
    reason: {
      fr: 'Rien ne se supprime d’un journal d’audit. Pour importer une autre exportation, installez un produit vide.',
      en: 'Nothing is deleted from an audit log. To import another export, install an empty product.',
    },
  },
  policy_versions: {
    label: { fr: 'Versions de la politique de confidentialité', en: 'Versions of the privacy policy' },
    reason: {
      fr: 'Les versions qui ont été affichées restent lisibles.',
      en: 'Versions that were shown stay readable.',
    },
  },
  retention_periods: {
    label: { fr: 'Durées de conservation', en: 'Retention periods' },
    reason: {
      fr: 'Le produit n’est jamais sans durées : vérifiez-les sous Confidentialité.',
      en: 'The product is never without periods: check them under Privacy.',
    },
  },
  [companyFiles]: {
    label: { fr: 'Fichiers de l’entreprise', en: 'Files of the company' },
    reason: {
      fr: 'Le site en a peut-être été construit. Supprimez leur dossier sur le serveur s’ils ne servent plus.',
      en: 'The site may have been built from them. Delete their folder on the server if they are no longer used.',
    },
  },
}

type Reference = { child: string; columns: string[]; parent: string; parentColumns: string[]; isPart: boolean }

/** References without a foreign key. `isPart`: such a row is a part of the entry that it names. */
function findSoftReferences(app: App): Reference[] {
  const soft = (child: string, column: string, parent: string, isPart = false): Reference => ({
    ...{ child, columns: [column], parent, parentColumns: ['id'], isPart },
  })
  return [
    soft('article_slugs', 'article_id', 'articles', true),
    soft('network_monitors', 'network_id', 'networks'),
    soft('request_files', 'chat_file_id', 'chat_files'),
    soft('requests', 'chat_id', 'chats'),
    soft('users', 'employee_id', 'employees'),
    ...app.userColumns.map((column) => soft(getTableName(column.table), column.name, 'users')),
  ]
}

async function findReferences(app: App, tx: Database, tables: readonly string[]) {
  const exported = new Set(await findExportedTables(tx))
  const found = await query<Reference & { how: string }>(
    tx,
    sql`select child.relname as child, parent.relname as parent, confdeltype as how, confdeltype = 'c' as "isPart",
      array(select attname::text from unnest(conkey) with ordinality as k (n, at) join pg_attribute on attrelid = conrelid and attnum = n order by at) as columns,
      array(select attname::text from unnest(confkey) with ordinality as k (n, at) join pg_attribute on attrelid = confrelid and attnum = n order by at) as "parentColumns"
    from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and child.relnamespace = 'public'::regnamespace`,
  )
  // What is computed from an entry, or valid only meanwhile, goes with it.
  const held = found.filter(({ child, how }) => exported.has(child) || how === 'a' || how === 'r')
  return [...held, ...findSoftReferences(app)].filter(
    ({ child, parent }) => tables.includes(parent) && !countingTables.has(child) && exported.has(child),
  )
}

/**
 * Removes the rows that an imported archive brought and nobody edited since, in one transaction that ends with `finish`. What is
 * a part of an entry that stays, or is named by a row that stays, stays too.
 */
export async function undoArchive(
  app: App,
  importId: number,
  finish: (tx: Database, figures: { removed: number; left: number }) => Promise<void>,
) {
  const files: { store: App['fileStores'][number]; keys: string[] }[] = []
  await app.db.transaction(async (tx) => {
    await prepareSession(tx)
    const tables = (await findRememberedTables(tx, importId)).filter((name) => name !== companyFiles)
    const names = sql.join(
      (await findExportedTables(tx)).filter((name) => !name.startsWith('journal')).map((name) => sql.identifier(name)),
      sql`, `,
    )
    await tx.execute(sql`set local lock_timeout to '10s'`)
    await tx.execute(sql`lock table ${names} in share row exclusive mode`)
    await tx.execute(
      sql`create temp table undone (table_name text, row_key text, primary key (table_name, row_key)) on commit drop`,
    )
    const removable = tables.filter((name) => !(name in staying))
    for (const name of removable) {
      await tx.execute(sql`
        insert into undone select table_name, imported.row_key from ${importedRows} as imported
        join ${await markedRows(tx, name)} as marked on marked.row_key = imported.row_key and marked.row_mark = imported.mark
        where import_id = ${importId} and table_name = ${name}`)
    }
    await tx.execute(sql`analyze undone`)
    await leaveConnected(tx, await findReferences(app, tx, removable))
    for (const store of app.fileStores.filter(({ table }) => removable.includes(table))) {
      const rows = await query<{ key: string }>(
        tx,
        sql`select ${sql.identifier(store.column)} as key from ${await markedRows(tx, store.table)} as marked where ${isUndone(store.table)}`,
      )
      files.push({ store, keys: rows.map(({ key }) => key) })
    }
    const enforce = await deferReferences(tx)
    let removed = 0
    const order = (await orderByReferences(tx, await findExportedTables(tx))).toReversed()
    // Pictures last: whether one is shown is known then.
    for (const name of [...order.filter((one) => one !== 'pictures'), 'pictures'])
      if (removable.includes(name)) removed += await removeRows(app, tx, name)
    await enforce()
    await forgetGone(tx, importId, tables)
    const left = await tx.$count(importedRows, sql`import_id = ${importId}`)
    await finish(tx, { removed, left })
  })
  for (const { store, keys } of files) if (keys.length > 0) await store.discard(app, keys)
}

const isUndone = (name: string) =>
  sql`exists (select 1 from undone where table_name = ${name} and undone.row_key = marked.row_key)`

/** Until nothing more is held back by what stays. */
async function leaveConnected(tx: Database, references: readonly Reference[]) {
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const { child, columns, parent, parentColumns, isPart } of references) {
      const [children, parents] = [await markedRows(tx, child), await markedRows(tx, parent)]
      const isSame = sql.join(
        columns.map((column, at) => sql`child.${sql.identifier(column)} = parent.${sql.identifier(parentColumns[at] ?? '')}`),
        sql` and `,
      )
      const stays = (alias: string, name: string) =>
        sql`not exists (select 1 from undone as other where other.table_name = ${name} and other.row_key = ${sql.raw(alias)}.row_key)`
      const held = await query(
        tx,
        sql`delete from undone using ${parents} as parent join ${children} as child on ${isSame}
          where undone.table_name = ${parent} and undone.row_key = parent.row_key and ${stays('child', child)} returning 1`,
      )
      const parts = isPart
        ? await query(
            tx,
            sql`delete from undone using ${children} as child join ${parents} as parent on ${isSame}
              where undone.table_name = ${child} and undone.row_key = child.row_key and ${stays('parent', parent)} returning 1`,
          )
        : []
      if (held.length + parts.length > 0) isSettled = false
    }
  }
}

async function removeRows(app: App, tx: Database, name: string) {
  const table = sql.identifier(name)
  const rows = sql`(select marked.row_place from ${await markedRows(tx, name)} as marked where ${isUndone(name)})`
  // Each text of the company has a row, which says where nobody edited it.
  const statement =
    name === 'long_texts'
      ? sql`update ${table} set french = null, english = null, english_older = default, version = 1 where ctid in ${rows}`
      : sql`delete from ${table} where ctid in ${rows}`
  const isUnused = name === 'pictures' ? sql` and not (${isShownIn(app.pictureTables)})` : sql``
  return (await query(tx, sql`${statement}${isUnused} returning 1`)).length
}

/** What is not here any more is not named as left. */
async function forgetGone(tx: Database, importId: number, tables: readonly string[]) {
  for (const name of tables) {
    const gone =
      name === 'long_texts'
        ? sql`row_key in (select row_key from undone where table_name = ${name})`
        : sql`row_key not in (select row_key from ${await markedRows(tx, name)} as marked)`
    await tx.execute(sql`delete from ${importedRows} where import_id = ${importId} and table_name = ${name} and ${gone}`)
  }
}

/** What an undo left: first what no undo takes away, then the first rows that were edited since. */
export async function findLeftRows(db: Database, importId: number, most: number): Promise<LeftEntry[]> {
  const tables = await findRememberedTables(db, importId)
  const left: LeftEntry[] = []
  for (const name of tables) {
    const found = staying[name]
    if (found) left.push({ area: name, name: found.label.en, label: found.label, path: null, reason: found.reason })
  }
  for (const name of tables.filter((one) => !(one in staying))) {
    const rows = await query<{ key: string; name: string | null }>(
      db,
      sql`select imported.row_key as key, ${nameOf} as name from ${importedRows} as imported
        join ${await markedRows(db, name)} as marked on marked.row_key = imported.row_key
        where import_id = ${importId} and table_name = ${name} order by imported.row_key limit ${most - left.length}`,
    )
    for (const row of rows)
      left.push({
        area: name,
        name: `${name}, ${row.name || (JSON.parse(row.key) as string[]).join(' ')}`,
        path: null,
        reason: null,
        label: null,
      })
    if (left.length >= most) break
  }
  return left
}

const nameOf = sql`(select coalesce(nullif(row->>'reference', ''), nullif(row->>'title', ''), nullif(row->>'name', ''), nullif(row->>'subject', ''),
  nullif(row->>'username', ''), nullif(row->>'email', ''), nullif(row->>'client_email', ''),
  nullif(row->>'shortcut', ''), nullif(row->>'term', ''), nullif(row->>'file_name', '')) from (select to_jsonb(marked) as row) as named)`

/** Whether anything is remembered of an import: one of an earlier version cannot be undone. */
export async function hasRows(db: Database, importId: number) {
  return (await query(db, sql`select 1 from ${importedRows} where import_id = ${importId} limit 1`)).length > 0
}

export async function purgeImportedRows({ db }: App, before: Date, limit: number) {
  const old = sql`select ctid from ${importedRows} where created_at < ${before.toISOString()} limit ${limit}`
  return (await query(db, sql`delete from ${importedRows} where ctid in (${old}) returning 1`)).length
}
