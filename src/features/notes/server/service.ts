import { desc, gte, lt, sql } from 'drizzle-orm'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import type { Note, NoteInput } from '../contract.ts'
import { noteInput } from '../contract.ts'
import { notes as feature } from '../feature.ts'
import { notePairs, notesPageSize } from '../values.ts'
import { notes } from './table.ts'

export const noteContent = defineContent<typeof notes, Note, NoteInput>({
  entry: feature.entries[0],
  input: noteInput,
  idKey: 'id_note',
  nameOf: (note) => note.note_date,
  table: notes,
  orderBy: [desc(notes.createdAt), desc(notes.id)],
  pairs: notePairs,
  toEntity: (row) => ({
    id_note: row.id,
    note_date: row.date,
    note: row.note,
    note_en: row.noteEn,
    created_at: row.createdAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({ date: input.note_date, note: input.note, noteEn: input.note_en }),
})

const newest = [desc(notes.createdAt), desc(notes.id)] as const
const threeMonthsAgo = sql`now() - interval '3 months'`

/** The notices of three months, newest first. */
export const readNotes = ({ content, db }: Reader): Promise<Note[]> =>
  content.read('notes', 'recent', async () => {
    const rows = await db
      .select()
      .from(notes)
      .where(gte(notes.createdAt, threeMonthsAgo))
      .orderBy(...newest)
    return rows.map(noteContent.toEntity)
  })

export type OlderNotes = { notes: Note[]; total: number }

/** A page of the notices before those. */
export const readOlderNotes = ({ content, db }: Reader, page: number): Promise<OlderNotes> =>
  content.read('notes', `older ${page}`, async () => {
    const isOlder = lt(notes.createdAt, threeMonthsAgo)
    const [total, rows] = await Promise.all([
      db.$count(notes, isOlder),
      db
        .select()
        .from(notes)
        .where(isOlder)
        .orderBy(...newest)
        .limit(notesPageSize)
        .offset((page - 1) * notesPageSize),
    ])
    return { notes: rows.map(noteContent.toEntity), total }
  })

/** The latest notes with their last change, for the feed. */
export function findDatedNotes(db: Database, limit: number) {
  return db.select().from(notes).orderBy(desc(notes.updatedAt), desc(notes.id)).limit(limit)
}
