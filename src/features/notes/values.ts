import type { Pair } from '#src/lib/language/english-older.ts'

export const notePairs = [['note', 'note_en']] as const satisfies readonly Pair[]

/** Older notices on one page. */
export const notesPageSize = 50
export const olderNotesPath = '/reseau/avis'
