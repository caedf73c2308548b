import { desc } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import { NotFound } from '#src/server/problems.ts'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import type { Job, JobInput } from '../contract.ts'
import { jobInput } from '../contract.ts'
import { jobs as feature } from '../feature.ts'
import { jobPairs } from '../values.ts'
import { jobs } from './table.ts'

type Row = typeof jobs.$inferSelect

export const jobContent = defineContent<typeof jobs, Job, JobInput>({
  entry: feature.entries[0],
  input: jobInput,
  idKey: 'id_emploi',
  nameOf: (job) => job.titre,
  reviewOf: (job) => (job.state === 'closed' ? null : { pairs: jobPairs, fields: job }),
  table: jobs,
  orderBy: [desc(jobs.createdAt), desc(jobs.id)],
  pairs: jobPairs,
  toEntity: (row) => ({
    id_emploi: row.id,
    titre: row.title,
    titre_en: row.titleEn,
    description: row.description,
    description_en: row.descriptionEn,
    opens_on: row.opensOn,
    closes_on: row.closesOn,
    employment_type: row.employmentType,
    state: stateOf(row),
    created_at: row.createdAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    title: input.titre,
    titleEn: input.titre_en,
    description: cleanRichText(input.description, 'description'),
    descriptionEn: cleanRichText(input.description_en, 'description_en'),
    opensOn: input.opens_on,
    closesOn: input.closes_on,
    employmentType: input.employment_type,
  }),
})

/** Postings visible to visitors: those whose days include today. */
export function readOpenJobs({ content, db }: Reader) {
  return content.read('jobs', 'open', async () => (await jobContent.findAll(db)).filter((job) => job.state === 'open'))
}

/** One posting for visitors, open or closed; a planned one is not found. */
export async function readPublicJob({ content, db }: Reader, id: number) {
  const job = await content.read('jobs', `one ${id}`, () => jobContent.find(db, id))
  if (job.state === 'planned') throw new NotFound('This entry does not exist.')
  return job
}

function stateOf({ opensOn, closesOn }: Row): Job['state'] {
  const today = dayIn(company.hours.timeZone, new Date())
  if (opensOn && today < opensOn) return 'planned'
  return closesOn && today > closesOn ? 'closed' : 'open'
}
