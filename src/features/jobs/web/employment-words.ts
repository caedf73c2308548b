import type { EmploymentType } from '../values.ts'

/** The key of `texts` that says each. */
export const employmentWords = {
  FULL_TIME: 'fullTime',
  PART_TIME: 'partTime',
  CONTRACTOR: 'contract',
  TEMPORARY: 'temporary',
  INTERN: 'intern',
} as const satisfies Record<EmploymentType, string>
