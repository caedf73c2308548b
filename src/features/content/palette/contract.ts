import { z } from 'zod'
import { text } from '#src/lib/schemas.ts'
import { longestPaletteSearch, paletteGroups } from '../values.ts'

const label = z.object({ fr: z.string(), en: z.string() })

/** What the command palette finds on the server, in both languages, for one user by their rights. */
export const paletteResult = z.object({
  group: z.enum(paletteGroups),
  label,
  /** What tells it from others of the same name. */
  hint: label,
  path: z.string(),
  /** The page of the menu whose icon it has. */
  page: z.string(),
})
export type PaletteResult = z.infer<typeof paletteResult>

export const paletteQuery = z.strictObject({ q: text(longestPaletteSearch) })
