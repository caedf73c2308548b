import type { Pair } from '#src/lib/language/english-older.ts'

/** Employment types of schema.org, for search engines. */
export const employmentTypes = ['FULL_TIME', 'PART_TIME', 'CONTRACTOR', 'TEMPORARY', 'INTERN'] as const
export type EmploymentType = (typeof employmentTypes)[number]

export const jobPairs = [
  ['titre', 'titre_en'],
  ['description', 'description_en'],
] as const satisfies readonly Pair[]

/** The day a posting is dated from: its opening day if set, else the day it was created. */
export function postedOn({ opens_on }: { opens_on: string | null }, writtenOn: string) {
  return opens_on && opens_on > writtenOn ? opens_on : writtenOn
}

/** True where its page is a page in English: the text decides, and the title where there is no text. */
export const isInEnglish = (job: { titre_en: string; description: string; description_en: string }) =>
  (job.description === '' ? job.titre_en : job.description_en) !== ''

/** Old postings of one page. */
export const jobsPageSize = 50
