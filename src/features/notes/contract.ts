import { z } from 'zod'
import { englishOlder, englishReviewed, entryVersion, id, limits, text } from '#src/lib/schemas.ts'

/** `note_date` is free text, and nothing is required. */
const fields = z.strictObject({
  note_date: text(limits.name).default(''),
  note: text(limits.text).default(''),
  note_en: text(limits.text).default(''),
})

export const noteInput = fields.extend({ version: entryVersion, english_reviewed: englishReviewed })
export type NoteInput = z.infer<typeof noteInput>
export const note = fields.extend({ id_note: id, created_at: z.string(), english_older: englishOlder, version: z.int() })
export type Note = z.infer<typeof note>
