import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/**
 * What a feature keeps about people, for the privacy impact assessment (docs/privacy-assessment.md), in plain English. How long
 * is said by `tableEnds`.
 */
export type StoredData = {
  whose: string
  what: string
  purpose: string
  /** The area and level of rights, or who else. */
  seenBy: string
  /** Beside rights and the protection of the database itself. */
  protection?: string
  /** Whole tables, or columns of tables that otherwise say nothing about anybody. */
  held: readonly (PgTable | PgColumn)[]
}
