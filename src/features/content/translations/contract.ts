import { z } from 'zod'
import { id } from '#src/lib/schemas.ts'

export const translationKinds = ['employees', 'jobs', 'networks', 'notes', 'home_message', 'home_information'] as const

/** An entry whose English is missing, or older than its French. */
export const translation = z.object({
  kind: z.enum(translationKinds),
  id,
  name: z.string(),
  missing: z.boolean(),
  /** Since when the English of a field is older than its French; null where none is. */
  older_since: z.string().nullable(),
})
export type Translation = z.infer<typeof translation>
