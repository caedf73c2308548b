import { bigint, boolean, index, integer, pgTable, primaryKey, serial, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Level } from '#src/lib/rights.ts'
import { sessions } from '#src/features/people/server/table.ts'
import { audioTypes, directions } from '../values.ts'

export const recordings = pgTable(
  'recordings',
  {
    id: serial('id').primaryKey(),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
    direction: text('direction', { enum: directions }).notNull(),
    caller: text('caller').notNull(),
    callee: text('callee').notNull(),
    agent: text('agent').notNull(),
    durationMs: integer('duration_ms').notNull(),
    fileName: text('file_name').notNull(),
    /** Hash of the uploaded file: with its name it makes an import idempotent. */
    sha256: text('sha256').notNull(),
    storageKey: text('storage_key').notNull().unique(),
    type: text('type', { enum: audioTypes }).notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    onHold: boolean('on_hold').notNull().default(false),
    /** Normalized search text, and all its substrings of one to three characters for the index. */
    searched: text('searched').notNull(),
    grams: text('grams').array().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('recordings_started').on(table.startedAt.desc(), table.id.desc()),
    uniqueIndex('recordings_content').on(table.sha256, table.fileName),
    // A GIN index on arrays needs no extension, which a hosted PostgreSQL may not allow.
    index('recordings_grams').using('gin', table.grams).with({ fastupdate: false }),
  ],
)

/** In its own table, because lists read the other rows by the thousand. */
export const recordingPeaks = pgTable('recording_peaks', {
  recordingId: integer('recording_id')
    .primaryKey()
    .references(() => recordings.id, { onDelete: 'cascade' }),
  peaks: text('peaks').notNull(),
})

/** Plays by session: a play is one audit event, however many ranges it requests. */
export const recordingPlays = pgTable(
  'recording_plays',
  {
    sessionHash: text('session_hash')
      .notNull()
      .references(() => sessions.idHash, { onDelete: 'cascade', onUpdate: 'cascade' }),
    recordingId: integer('recording_id')
      .notNull()
      .references(() => recordings.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.sessionHash, table.recordingId] }),
    index('recording_plays_recording').on(table.recordingId),
  ],
)

/**
 * Files without a row: added before a file is written or its row deleted, removed once the row exists or the file is deleted.
 * After a crash the sweep finds the file here.
 */
export const strayFiles = pgTable('recording_stray_files', {
  storageKey: text('storage_key').primaryKey(),
  removeAfter: timestamp('remove_after', { withTimezone: true }).notNull(),
})

/** Settings: one row, or none before the first save. */
export const recordingSettingsTable = pgTable('recording_settings', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
  play: text('play').$type<Exclude<Level, 'none'>>().notNull(),
  download: text('download').$type<Exclude<Level, 'none'>>().notNull(),
  delete: text('delete').$type<Exclude<Level, 'none'>>().notNull(),
})
