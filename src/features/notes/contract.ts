import { z } from 'zod'
import {
  closesLater,
  closesTooEarly,
  englishOlder,
  englishReviewed,
  entryStates,
  entryVersion,
  inputDateTimes,
  id,
  limits,
  publicationFields,
  text,
} from '#src/lib/schemas.ts'

/** `note_date` is free text, and nothing is required. */
const fields = z.strictObject({
  note_date: text(limits.name).default(''),
  note: text(limits.text).default(''),
  note_en: text(limits.text).default(''),
  ...publicationFields,
})

export const noteInput = fields
  .extend({ version: entryVersion, english_reviewed: englishReviewed, ...inputDateTimes })
  .refine(closesLater, closesTooEarly)
export type NoteInput = z.infer<typeof noteInput>

/** A notice without a French text stays a draft. */
export const isComplete = ({ note }: Pick<NoteInput, 'note'>) => note.trim() !== ''

export const note = fields.extend({
  id_note: id,
  state: z.enum(entryStates),
  created_at: z.string(),
  english_older: englishOlder,
  version: z.int(),
})
export type Note = z.infer<typeof note>
