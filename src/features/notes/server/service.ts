import { desc } from 'drizzle-orm'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import type { Note, NoteInput } from '../contract.ts'
import { noteInput } from '../contract.ts'
import { notes as feature } from '../feature.ts'
import { notePairs } from '../values.ts'
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

export const readNotes = ({ content, db }: Reader) => content.read('notes', 'all', () => noteContent.findAll(db))

/** The latest notes with their last change, for the feed. */
export function findDatedNotes(db: Database, limit: number) {
  return db.select().from(notes).orderBy(desc(notes.updatedAt), desc(notes.id)).limit(limit)
}
