import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'

const longestRange = 366
const dayMs = 86_400_000
const range = { from: z.iso.date(), to: z.iso.date() }
const isRange = ({ from, to }: { from: string; to: string }) =>
  from <= to && Date.parse(to) - Date.parse(from) < longestRange * dayMs
const tooLong = 'a range of a year at most'

export const figuresQuery = z.strictObject(range).refine(isRange, tooLong)
export const figuresExportQuery = z.strictObject({ ...range, language: z.enum(languages).default('fr') }).refine(isRange, tooLong)

/** Times are in business minutes; null where nothing was measured. */
const counts = z.object({
  chats: z.int(),
  missed: z.int(),
  answer_median: z.number().nullable(),
  answer_p90: z.number().nullable(),
  resolution_median: z.number().nullable(),
  resolution_p90: z.number().nullable(),
  /** Mean of 1 to 5. */
  rating: z.number().nullable(),
  ratings: z.int(),
})

export const chatFigures = z.object({
  total: counts,
  days: z.array(counts.extend({ day: z.string() })),
  technicians: z.array(counts.extend({ id_user: z.int(), user_name: z.string() })),
})

export type ChatFigures = z.infer<typeof chatFigures>
export type ChatCounts = z.infer<typeof counts>
