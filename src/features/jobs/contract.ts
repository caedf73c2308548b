import { z } from 'zod'
import {
  englishOlder,
  englishReviewed,
  entryStates,
  entryVersion,
  inputDays,
  id,
  limits,
  publicationFields,
  richText,
  text,
} from '#src/lib/schemas.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { employmentTypes } from './values.ts'

const day = z.iso.date().nullable().default(null)

const fields = z.strictObject({
  titre: text(limits.title).default(''),
  titre_en: text(limits.title).default(''),
  description: richText.default(''),
  description_en: richText.default(''),
  publie: publicationFields.publie,
  /** First and last day on which the posting is open, in the company's time zone; null is no bound. */
  opens_on: day,
  closes_on: day,
  /** Null when unspecified. */
  employment_type: z.enum(employmentTypes).nullable().default(null),
})

export const jobInput = fields
  .extend({ version: entryVersion, english_reviewed: englishReviewed, ...inputDays })
  .refine((job) => !job.opens_on || !job.closes_on || job.opens_on <= job.closes_on, {
    path: ['closes_on'],
    message: 'the last day comes after the first',
  })
export type JobInput = z.infer<typeof jobInput>

/** Why a posting stays a draft whatever was chosen; null where it may be published. French comes first. */
export function reasonForDraft({
  titre,
  description,
  description_en,
}: Pick<JobInput, 'titre' | 'description' | 'description_en'>) {
  if (titre.trim() === '') return 'title'
  return isBlankHtml(description) && !isBlankHtml(description_en) ? 'text' : null
}

export const job = fields.extend({
  id_emploi: id,
  state: z.enum(entryStates),
  created_at: z.string(),
  english_older: englishOlder,
  version: z.int(),
})
export type Job = z.infer<typeof job>
