import { company } from '#company/company.ts'
import type { SQL } from 'drizzle-orm'
import { and, desc, gte, isNull, lt, or, sql } from 'drizzle-orm'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import type { ImportWriter, WebPage } from '#src/features/content/server/importing.ts'
import { checkBy, cleanPage } from '#src/features/content/server/importing.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { isOpen, publicationOf, publicationRow } from '#src/features/content/server/schedule.ts'
import type { Note, NoteInput } from '../contract.ts'
import { isComplete, noteInput } from '../contract.ts'
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
    ...publicationOf(row),
    created_at: row.createdAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    date: input.note_date,
    note: input.note,
    noteEn: input.note_en,
    ...publicationRow(input, isComplete(input)),
  }),
})

const newest = [desc(notes.createdAt), desc(notes.id)] as const
const threeMonthsAgo = sql`now() - interval '3 months'`
/** A notice that waited counts from the moment it opened. */
const isRecent = or(gte(notes.createdAt, threeMonthsAgo), gte(notes.opensAt, threeMonthsAgo))
const isOlder = and(lt(notes.createdAt, threeMonthsAgo), or(isNull(notes.opensAt), lt(notes.opensAt, threeMonthsAgo)))

const lastOpened = [sql`greatest(${notes.createdAt}, ${notes.opensAt}) desc`, desc(notes.id)] as const

/** For staff, with drafts, those that wait and those that ended: the notices of three months, newest first. */
export async function findNotes(db: Database, shown?: SQL): Promise<Note[]> {
  const rows = await db
    .select()
    .from(notes)
    .where(and(isRecent, shown))
    .orderBy(...lastOpened)
  return rows.map(noteContent.toEntity)
}

/** The notices of three months that visitors see. */
export const readNotes = ({ content, db }: Reader) => content.read('notes', 'recent', () => findNotes(db, isOpen(notes)))

export type OlderNotes = { notes: Note[]; total: number }

/** For staff: a page of the notices before those. */
export async function findOlderNotes(db: Database, page: number, shown?: SQL): Promise<OlderNotes> {
  const where = and(isOlder, shown)
  const [total, rows] = await Promise.all([
    db.$count(notes, where),
    db
      .select()
      .from(notes)
      .where(where)
      .orderBy(...newest)
      .limit(notesPageSize)
      .offset((page - 1) * notesPageSize),
  ])
  return { notes: rows.map(noteContent.toEntity), total }
}

export const readOlderNotes = ({ content, db }: Reader, page: number) =>
  content.read('notes', `older ${page}`, () => findOlderNotes(db, page, isOpen(notes)))

/** The latest notes with their last change, for the feed. */
export function findDatedNotes(db: Database, limit: number) {
  return db.select().from(notes).where(isOpen(notes)).orderBy(desc(notes.updatedAt), desc(notes.id)).limit(limit)
}

const pageTexts = [
  { name: 'note', label: { fr: 'Texte', en: 'Text' } },
  { name: 'note_en', label: { fr: 'Texte (Anglais)', en: 'Text (English)' } },
]

/** Posts of another site, as drafts with their date. */
export const notePages: ImportWriter = {
  ...noteContent.importer,
  label: { fr: 'avis de service', en: 'service notices' },
  async check(values) {
    const { title, title_en, html, html_en, date } = values as WebPage
    const join = (name: string, body: string) => [name, textOfHtml(cleanPage(body))].filter(Boolean).join('\n\n')
    const texts = { note: join(title, html), note_en: join(title_en, html_en) }
    const note_date = date ? dayIn(company.hours.timeZone, new Date(date)) : ''
    return checkBy(noteInput, { ...texts, note_date, publie: false }, pageTexts)
  },
  // A notice has no page of its own.
  findPages: async (_db, ids) => new Map(ids.map((id) => [id, { fr: '/reseau/avis', en: '/reseau/avis?lang=en' }])),
}
