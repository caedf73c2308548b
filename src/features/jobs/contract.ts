import { z } from 'zod'
import { englishOlder, englishReviewed, entryVersion, id, limits, richText, text } from '#src/lib/schemas.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { employmentTypes, jobStates } from './values.ts'

const day = z.iso.date().nullable().default(null)

const fields = z.strictObject({
  titre: text(limits.title).default(''),
  titre_en: text(limits.title).default(''),
  description: richText.default(''),
  description_en: richText.default(''),
  /** First and last day on which the posting is open, in the company's time zone; null is no bound. */
  opens_on: day,
  closes_on: day,
  /** Null when unspecified. */
  employment_type: z.enum(employmentTypes).nullable().default(null),
})

export const jobInput = fields
  .extend({ version: entryVersion, english_reviewed: englishReviewed })
  .refine(({ titre, titre_en }) => titre.trim() !== '' || titre_en.trim() === '', {
    path: ['titre'],
    message: 'the French comes before the English',
  })
  .refine(({ description, description_en }) => !isBlankHtml(description) || isBlankHtml(description_en), {
    path: ['description'],
    message: 'the French comes before the English',
  })
  .refine((job) => !job.opens_on || !job.closes_on || job.opens_on <= job.closes_on, {
    path: ['closes_on'],
    message: 'the last day comes after the first',
  })
export type JobInput = z.infer<typeof jobInput>

export const job = fields.extend({
  id_emploi: id,
  state: z.enum(jobStates),
  created_at: z.string(),
  english_older: englishOlder,
  version: z.int(),
})
export type Job = z.infer<typeof job>
