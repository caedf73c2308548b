import { z } from 'zod'
import { id, limits, text } from '#src/lib/schemas.ts'

/** `note_date` is free text (spec.md 3). */
export const noteInput = z.strictObject({ note_date: text(limits.name), note: text(limits.text), note_en: text(limits.text).default('') })
export type NoteInput = z.infer<typeof noteInput>
export const note = noteInput.extend({ id_note: id })
export type Note = z.infer<typeof note>
