type Query = (statement: string) => string

/** The columns of every table of the product, by table. */
export function readColumns(query: Query) {
  const rows = query(
    `select table_name, string_agg(quote_ident(column_name), ',' order by ordinal_position)
     from information_schema.tables join information_schema.columns using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER' group by table_name`,
  )
  return new Map(rows.split('\n').map((row) => row.split('|') as [string, string]))
}

/** Number of rows and hash of these columns, by table: a later version may have more of both. */
export function readTables(query: Query, columns: ReadonlyMap<string, string>) {
  const parts = [...columns].map(
    ([table, names]) =>
      `select '${table}', count(*) || ' ' || coalesce(md5(string_agg(row(${names})::text, '~' order by row(${names})::text)), '') from ${table}`,
  )
  return new Map(
    query(parts.join(' union all '))
      .split('\n')
      .map((row) => row.split('|') as [string, string]),
  )
}

/** The tables whose rows differ. */
export const findChanged = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...before].filter(([table, rows]) => after.get(table) !== rows).map(([table]) => table)
