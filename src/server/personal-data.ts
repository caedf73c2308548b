import type { Database } from './database/database.ts'

/** Something held about a person: fields as they are exported. */
export type Finding = { id: string; at: string; fields: Record<string, string | number | boolean | null> }

/** Months that the company's file says, or days that somebody chose since. */
type Period = { months: number } | { findDays: (db: Database) => Promise<number> }

/**
 * What one feature holds about people, known by their e-mail address. Each feature that keeps personal data
 * gives one of these to the application, which then finds, exports, erases and outdates it with the others.
 */
export type PersonalDataKind = {
  kind: string
  find: (db: Database, email: string) => Promise<Finding[]>
  /** Erases what was found and answers how much; null where it is kept for a reason the page tells. */
  erase: ((tx: Database, email: string) => Promise<number>) | null
  /** How long it is kept, and what the nightly work does about the rest. */
  retention?: Period & { purge: (db: Database, before: Date) => Promise<number> }
}
