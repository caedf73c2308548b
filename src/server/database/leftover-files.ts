import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'

const temporaryFolder = join('base', 'pgsql_tmp')

/**
 * Removes what a killed process left in the files of the database: the copy of a table that was being rewritten, which
 * PostgreSQL leaves for ever, and what a large query sorted on the disk, which only its server removes. Where the catalog lost
 * rows nothing is removed: the files may be all that is left of a table.
 */
export async function removeLeftovers(folder: string, client: Pick<PGlite, 'query'>) {
  const { rows } = await client.query<{ path: string; files: number[] }>(`
    select 'base/' || (select oid from pg_database where datname = current_database()) as path,
      array(select pg_relation_filenode(oid)::int8 from pg_class where pg_relation_filenode(oid) is not null) as files
    where not exists (select from pg_attribute where attrelid not in (select oid from pg_class))`)
  const [database] = rows
  if (!database) return
  const known = new Set(database.files.map(Number))
  for (const name of list(join(folder, database.path))) {
    // A number, then the fork and the number of a further gigabyte.
    const file = /^(\d+)(?:_(?:fsm|vm|init))?(?:\.\d+)?$/.exec(name)?.[1]
    if (file && !known.has(Number(file))) rmSync(join(folder, database.path, name))
  }
  for (const name of list(join(folder, temporaryFolder))) rmSync(join(folder, temporaryFolder, name), { recursive: true })
}

function list(path: string) {
  try {
    return readdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
