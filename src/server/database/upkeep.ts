import { setImmediate } from 'node:timers/promises'
import { logger } from '../log.ts'
import type { OpenDatabase } from './database.ts'
import type { Rewriting } from './rewriting-file.ts'
import { readRewritings, storeRewriting } from './rewriting-file.ts'

type Reader = Pick<OpenDatabase, 'executeSql' | 'findFreeBytes'>
type Table = { oid: number; name: string; isParent: boolean; hasTexts: boolean; changes: number; bytes: number }

/** Left on the disk beside the copy of a table: PostgreSQL ends where its log finds no space. */
const reserveBytes = 64 * 2 ** 20

/**
 * Nightly work of the embedded database, which has neither autovacuum nor checkpointer: its files and its log would grow for
 * ever, and keep what was deleted. Other queries run between two statements.
 *
 * A vacuum leaves the bytes of deleted rows in the pages of the table, its indexes and its TOAST table, so a table where rows
 * were deleted or updated is rewritten (VACUUM FULL). The statistics count them, by cascades too. PGlite loses the statistics when
 * it closes, and commands open the database as well, so after a start each table is rewritten once.
 * Measured: 100,000 chat messages (43 MB) 0.6 s, 500,000 (213 MB) 3.1 s, all 96 tables of a new installation 3 s.
 */
export function createUpkeep(database: Reader, dataDir: string) {
  /** Tables without rows deleted before the statistics of this process began. */
  const rewritten = new Set<number>()
  return {
    /** From the first start on, each night is expected to rewrite. */
    recordStart: () => storeRewriting(dataDir, null),
    async run(now = new Date()) {
      const done = await rewriteTables(database, rewritten)
      await replaceLog(database)
      storeRewriting(dataDir, { at: now.toISOString(), ...done })
      // The queue tries again.
      if (done.failed.length > 0) throw new Error(`tables were not rewritten: ${done.failed.join(', ')}`)
    },
    find: () => readRewritings(dataDir),
  }
}

export type Upkeep = ReturnType<typeof createUpkeep>

async function rewriteTables(database: Reader, rewritten: Set<number>): Promise<Omit<Rewriting, 'at'>> {
  const { executeSql } = database
  const failed: string[] = []
  let [tables, longestMs] = [0, 0]
  for (const table of await findTables(executeSql)) {
    const { oid, name, isParent, hasTexts, changes } = table
    if (!isParent && hasTexts && (changes > 0 || !rewritten.has(oid))) {
      try {
        longestMs = Math.max(longestMs, await rewrite(database, table))
        rewritten.add(oid)
        tables += 1
      } catch (error) {
        // A database that is closing or gone fails the job.
        await executeSql('select 1')
        rewritten.delete(oid)
        failed.push(name)
        logger.error({ err: error, table: name }, 'a table was not rewritten: its files still hold deleted rows')
      }
    }
    // After a rewriting too: it marks the pages that index-only scans need not read.
    if (!isParent) await executeSql(`vacuum ${name}`)
    await replaceStatistics(executeSql, table)
    // After each table, so that one checkpoint has little to write.
    await executeSql('checkpoint')
    await setImmediate()
  }
  // Each rewriting leaves dead rows there.
  for (const catalog of ['pg_attribute', 'pg_class', 'pg_depend', 'pg_index', 'pg_type']) await executeSql(`vacuum ${catalog}`)
  await executeSql('vacuum full pg_statistic')
  return { tables, longestMs: Math.round(longestMs), failed }
}

/** Counters are written at most once a second, unless asked for. */
async function findTables(executeSql: Reader['executeSql']) {
  await executeSql('select pg_stat_force_next_flush()')
  const { rows } = await executeSql(`
    select relid::int as oid, format('%I.%I', schemaname, stats.relname) as name, relkind = 'p' as "isParent",
      (n_tup_del + n_tup_upd + n_dead_tup)::float8 as changes, pg_total_relation_size(relid)::float8 as bytes,
      exists (select from pg_attribute where attrelid = relid and attnum > 0 and attlen < 0) as "hasTexts"
    from pg_stat_user_tables stats join pg_class on pg_class.oid = relid order by bytes`)
  return rows as Table[]
}

/** Returns how long it took. What is deleted meanwhile counts for the next night. */
async function rewrite({ executeSql, findFreeBytes }: Reader, { oid, name, bytes }: Table) {
  // The copy and its log.
  const needed = 2 * bytes + reserveBytes
  if (findFreeBytes && findFreeBytes() < needed) throw new Error(`rewriting takes ${needed} bytes of free disk space`)
  await executeSql(`select pg_stat_reset_single_table_counters(${oid})`)
  const startedAt = performance.now()
  await executeSql(`vacuum full ${name}`)
  return performance.now() - startedAt
}

/** Statistics hold values of rows, and those of an empty table stay: ANALYZE replaces them only where it finds rows. */
const replaceStatistics = (executeSql: Reader['executeSql'], { oid, name }: Table) =>
  executeSql(`
    delete from pg_statistic where starelid = ${oid} or starelid in (select indexrelid from pg_index where indrelid = ${oid});
    analyze only ${name}`)

/**
 * Ends the files of the write-ahead log that hold what was deleted. PostgreSQL would rename them for later use, with their
 * content: with `wal_recycle` off it removes them. Those that were renamed before are used up one by one.
 */
async function replaceLog({ executeSql }: Reader) {
  const find = async () => (await executeSql('select name from pg_ls_waldir()')).rows.map((row) => (row as { name: string }).name)
  await executeSql('set wal_recycle = off')
  try {
    const former = new Set(await find())
    for (let left = former.size + 1; left > 0; left -= 1) {
      await executeSql('select pg_switch_wal()')
      await executeSql('checkpoint')
      if (!(await find()).some((name) => former.has(name))) return
    }
    throw new Error('the log of the database still has its former files')
  } finally {
    await executeSql('reset wal_recycle')
  }
}
