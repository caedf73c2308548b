import { desc } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Note } from '../contract.ts'
import { notes } from './table.ts'

export async function findAllNotes(db: Database) {
  const rows = await db.select().from(notes).orderBy(desc(notes.createdAt), desc(notes.id))
  return rows.map(toNote)
}

function toNote(row: typeof notes.$inferSelect): Note {
  return { id_note: row.id, note_date: row.date, note: row.note, note_en: row.noteEn }
}
