import { boolean, index, integer, jsonb, pgTable, primaryKey, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { Label } from '#src/lib/feature.ts'
import type { PreviewEntry } from '../contract.ts'
import { importStates } from '../values.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })

export type ImportCounts = {
  created: Record<string, number>
  updated: Record<string, number>
  leftOut: Record<string, number>
  known: number
  refused: number
}
export type ImportChoice = { name: string; label: Label; is_required: boolean; count: number | null }
export type ImportOption = { value: string; label: Label }

export const imports = pgTable(
  'imports',
  {
    id: serial('id').primaryKey(),
    kind: text('kind').notNull(),
    /** Name of the file, as shown. */
    file: text('file').notNull(),
    /** Where the file is on this server; empty once it is no longer needed. */
    path: text('path').notNull(),
    /** False for a file of the server, which stays. */
    ownsFile: boolean('owns_file').notNull().default(true),
    charset: text('charset').notNull().default('utf-8'),
    source: text('source').notNull(),
    map: jsonb('map').$type<Record<string, string>>().notNull().default({}),
    choices: jsonb('choices').$type<ImportChoice[]>().notNull().default([]),
    options: jsonb('options').$type<ImportOption[]>().notNull().default([]),
    preview: jsonb('preview').$type<PreviewEntry[]>().notNull().default([]),
    state: text('state', { enum: importStates }).notNull().default('waiting'),
    counts: jsonb('counts').$type<ImportCounts>().notNull(),
    /** Entries of the source that are done: an import that was interrupted goes on after them. */
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** The process that works on it, until its lease ends. */
    holder: text('holder'),
    leaseUntil: instant('lease_until'),
    userId: integer('user_id'),
    userName: text('user_name').notNull(),
    address: text('address').notNull().default(''),
    error: jsonb('error').$type<Label>(),
    /** Entries that the undo left. */
    left: integer('left_entries'),
    createdAt: instant('created_at').notNull().defaultNow(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
  },
  (table) => [index('imports_created').on(table.createdAt), index('imports_state').on(table.state)],
)

/** Every imported entry, so that none comes twice. `entry` is a hash of the id in the source, which may be personal. */
export const importEntries = pgTable(
  'import_entries',
  {
    source: text('source').notNull(),
    entry: text('entry').notNull(),
    /** The import that created it; a later one may have updated it. */
    importId: integer('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    writer: text('writer').notNull(),
    entryId: integer('entry_id').notNull(),
    /** Hash of the values in the source, and the mark of the stored entry when they were written. */
    digest: text('digest').notNull(),
    mark: text('mark').notNull(),
    /** It was updated by another import than the one that created it. */
    isUpdated: boolean('is_updated').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.entry] }),
    index('import_entries_import').on(table.importId, table.entryId),
  ],
)

/** Entries of a source that were refused. */
export const importRefusals = pgTable(
  'import_refusals',
  {
    id: serial('id').primaryKey(),
    importId: integer('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    at: text('at').notNull(),
    name: text('name').notNull(),
    reason: jsonb('reason').$type<Label>().notNull(),
  },
  (table) => [index('import_refusals_import').on(table.importId, table.id)],
)
