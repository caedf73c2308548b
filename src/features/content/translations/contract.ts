import { z } from 'zod'
import { id } from '#src/lib/schemas.ts'

/** An entry whose English is missing, or older than its French. */
export const translation = z.object({
  /** Kind of the entry, or its area where that has one kind only. */
  kind: z.string(),
  id,
  name: z.string(),
  missing: z.boolean(),
  /** Since when the English of a field is older than its French; null where none is. */
  older_since: z.string().nullable(),
})
export type Translation = z.infer<typeof translation>
