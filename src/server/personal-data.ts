import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Label } from '#src/lib/feature.ts'
import type { Area } from '#src/lib/rights.ts'
import type { Database } from './database/database.ts'
import type { App } from './types.ts'

/** Options of an erasure, the same for each kind. */
export type ErasureOptions = {
  /** Whether the officer chose a record; without it all of the person are erased. */
  isChosen?: (id: string) => boolean
  /** Registers a broadcast to open pages, which runs after the commit. */
  afterCommit?: (notify: (app: App) => void) => void
}

/** A record about a person, with its fields as exported. */
export type Finding = { id: string; at: string; fields: Record<string, string | number | boolean | null> }

/**
 * Records of anybody that contain a name, a phone number or other words. They are shown, and neither exported nor erased unless
 * an officer selects them.
 */
export type Candidates = {
  /** The column of their ids. */
  ids: PgColumn
  /** Ids of those with all the words or the telephone number of a text, the newest first, `most` at most. */
  search: (db: Database, text: string, most: number) => Promise<string[]>
  /** Their records, in the form that `find` returns. */
  describe: (db: Database, ids: readonly string[]) => Promise<Finding[]>
  /** Erases all but what a legal hold keeps, and returns their number; absent where they are retained. */
  erase?: (tx: Database, ids: readonly string[], options?: Pick<ErasureOptions, 'afterCommit'>) => Promise<number>
}

/**
 * Personal data of one feature, found by e-mail address. The application finds, exports, erases and purges it together with
 * that of the other features.
 */
export type PersonalDataKind = {
  kind: string
  /** Kinds whose rows lead to this one, or delete its rows with theirs: it is erased before them, whatever the feature order. */
  erasedBefore?: readonly string[]
  /** The columns that hold the addresses it is found by. */
  addresses?: readonly PgColumn[]
  /** Its records may be another person's: they are shown, and neither exported nor erased unless somebody chose them. */
  areCandidates?: true
  find: (db: Database, email: string) => Promise<Finding[]>
  candidates?: Candidates
  /** Erases the records and returns their number; null where they must be retained, for a reason that the page shows. */
  erase: ((tx: Database, email: string, options?: ErasureOptions) => Promise<number>) | null
  /** Why `find` still finds records after an erasure that no legal hold keeps. */
  keptReason?: 'staff account' | 'team profile' | 'audit log'
  /** Ids of the records that a legal hold keeps, which neither erasure nor retention touches. */
  findHeld?: (db: Database, email: string) => Promise<string[]>
  /** The nightly purge, where the kind has a retention period: at most `limit` records, in transactions that hold up nobody. */
  retention?: { purge: (db: Database, before: Date, limit: number) => Promise<number> }
}

/** Kinds that other rows lead to, or take with them, come first: afterwards they could be neither found nor counted. */
export function inOrderOfErasure(kinds: readonly PersonalDataKind[]) {
  return [...kinds.filter(({ erasedBefore }) => erasedBefore), ...kinds.filter(({ erasedBefore }) => !erasedBefore)]
}

/** A period that no setting changes; its purge runs each night, in parts of at most `limit` rows. */
type OwnPeriod = { days: number; purge?: (app: App, before: Date, limit: number) => Promise<number> }

/**
 * When the rows of tables end: with a kind of personal data, after a period of their own, or not, for a reason. Tables that a
 * cascading foreign key leads to end with these.
 */
export type TableEnd = { tables: readonly PgTable[]; label: Label } & ({ kind: string } | OwnPeriod | { reason: Label })

/** The reason of tables that do not grow. */
export const settingsStay: Label = { fr: 'Réglages : une seule fiche.', en: 'Settings: a single entry.' }

/** Whose information it is; `anybody`: whoever a text names. */
export type Person = 'visitors' | 'customers' | 'subscribers' | 'applicants' | 'callers' | 'staff' | 'anybody'

/** How a value is stored that is not stored as it was entered. */
export type Protection = 'keyed hash' | 'hash' | 'password hash' | 'encrypted' | 'encrypted by entry'

/**
 * Columns that hold information about people. The privacy impact assessment, which is in English, lists them; when their rows end is known from
 * `TableEnd`.
 */
export type PersonalColumns = {
  whose: readonly Person[]
  columns: readonly PgColumn[]
  purpose: string
  /** Whoever may read these areas; `own`: the person; none: the product alone uses it. */
  seenBy: readonly (Area | 'public' | 'own')[]
  protection?: Protection
  /** When the values end, where that is not with their row. */
  ends?: string
}

/** Columns whose type could hold information about people, and why they hold none. */
export type ImpersonalColumns = { columns: readonly PgColumn[]; reason: string }
