import { z } from 'zod'
import { entryVersion, id, limits, richText, text } from '#src/lib/schemas.ts'

const day = z.iso.date().nullable().default(null)

const fields = z.strictObject({
  titre: text(limits.title).default(''),
  titre_en: text(limits.title).default(''),
  description: richText.default(''),
  description_en: richText.default(''),
  /** First and last day on which the posting is open, in the company's time zone; null is no bound. */
  opens_on: day,
  closes_on: day,
})

export const jobInput = fields
  .extend({ version: entryVersion })
  .refine((job) => job.titre.trim() !== '' || job.titre_en.trim() === '', {
    path: ['titre'],
    message: 'the French comes before the English',
  })
  .refine((job) => !job.opens_on || !job.closes_on || job.opens_on <= job.closes_on, {
    path: ['closes_on'],
    message: 'the last day comes after the first',
  })
export type JobInput = z.infer<typeof jobInput>

export const jobStates = ['planned', 'open', 'closed'] as const
export const job = fields.extend({ id_emploi: id, state: z.enum(jobStates), created_at: z.string(), version: z.int() })
export type Job = z.infer<typeof job>
