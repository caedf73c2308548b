import { setImmediate } from 'node:timers/promises'
import type { OpenDatabase } from './database.ts'

/**
 * Vacuums and analyzes every table, and writes a checkpoint. PostgreSQL does so by itself; the embedded database has neither
 * autovacuum nor checkpointer, and its files and its log would grow for ever. Other queries run between two tables.
 */
export async function sweepDeadRows({ executeSql }: Pick<OpenDatabase, 'executeSql'>) {
  const { rows } = await executeSql("select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables")
  for (const { name } of rows as { name: string }[]) {
    await executeSql(`vacuum (analyze) ${name}`)
    // After each table, so that one checkpoint has little to write.
    await executeSql('checkpoint')
    await setImmediate()
  }
}
