import type { Pair } from '#src/lib/language/english-older.ts'

export const notePairs = [['note', 'note_en']] as const satisfies readonly Pair[]
