import { setImmediate } from 'node:timers/promises'
import { logger } from '../log.ts'
import type { OpenDatabase } from './database.ts'

/** What a night did: how many tables were rewritten, which could not be, and how long the longest one held up others. */
export type Upkeep = { rewritten: number; failed: string[]; longestMs: number }

type Table = { name: string; changes: number }

/**
 * The nightly work on the embedded database, which has neither autovacuum nor checkpointer: its files and its log would grow for
 * ever, and keep what was erased. Tables in which rows were deleted or changed are rewritten, all are vacuumed and analyzed, and
 * the log is emptied. Other queries run between two tables.
 */
export function createUpkeep({ executeSql }: Pick<OpenDatabase, 'executeSql'>) {
  // The counts begin with each start of the database, and a crash may lose them: on the first night every table is rewritten.
  const known = new Map<string, number>()

  async function rewrite({ name, changes }: Table, upkeep: Upkeep) {
    const startedAt = performance.now()
    try {
      await executeSql(`vacuum full ${name}`)
      known.set(name, changes)
      upkeep.rewritten += 1
    } catch (error) {
      // Such as on a full disk: the table stays as it was.
      logger.error({ err: error, table: name }, 'a table could not be rewritten')
      upkeep.failed.push(name)
    }
    upkeep.longestMs = Math.max(upkeep.longestMs, Math.round(performance.now() - startedAt))
  }

  return async (): Promise<Upkeep> => {
    const upkeep: Upkeep = { rewritten: 0, failed: [], longestMs: 0 }
    await executeSql('select pg_stat_force_next_flush()')
    const { rows } = await executeSql(
      "select format('%I.%I', schemaname, relname) as name, (n_tup_del + n_tup_upd)::float8 as changes from pg_stat_user_tables",
    )
    for (const table of rows as Table[]) {
      if (known.get(table.name) !== table.changes) await rewrite(table, upkeep)
      await executeSql(`vacuum (analyze) ${table.name}`)
      // After each table, so that one checkpoint has little to write.
      await executeSql('checkpoint')
      await setImmediate()
    }
    // The most common values of columns stay in those of earlier analyses.
    await executeSql('vacuum full pg_statistic')
    // The segment that is written, too: a checkpoint removes those before.
    await executeSql('select pg_switch_wal()')
    await executeSql('checkpoint')
    return upkeep
  }
}
