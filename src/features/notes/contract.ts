import { z } from 'zod'
import { entryVersion, id, limits, text } from '#src/lib/schemas.ts'

/** `note_date` is free text (spec.md 3). */
const fields = z.strictObject({ note_date: text(limits.name), note: text(limits.text), note_en: text(limits.text).default('') })

export const noteInput = fields.extend({ version: entryVersion })
export type NoteInput = z.infer<typeof noteInput>
export const note = fields.extend({ id_note: id, version: z.int() })
export type Note = z.infer<typeof note>
