import { company } from '#company/company.ts'
import { dayIn, formatDay } from '#src/lib/time/dates.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Job } from '../contract.ts'
import { texts } from '../texts.ts'
import type { EmploymentType } from '../values.ts'
import { postedOn } from '../values.ts'

/** Text keys by type of employment. */
export const employmentTextKeys = {
  FULL_TIME: 'fullTime',
  PART_TIME: 'partTime',
  CONTRACTOR: 'contract',
  TEMPORARY: 'temporary',
  INTERN: 'intern',
} as const satisfies Record<EmploymentType, string>

type JobDatesProps = { job: { posted_on: string; closes_on: string | null; employment_type: EmploymentType | null } }

/** Employment type, posting date and closing date. */
export function JobDates({ job }: JobDatesProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const words = [
    job.employment_type && t(employmentTextKeys[job.employment_type]),
    t('posted', { date: formatDay(job.posted_on, language) }),
    job.closes_on && t('until', { date: formatDay(job.closes_on, language) }),
  ]
  return <span className="text-sm text-ink-2">{words.filter(Boolean).join(' · ')}</span>
}

type Dated = Pick<Job, 'opens_on' | 'created_at'>

/** Adds the posting date in the loader, so that the first page does not load the calendar code. */
export function withPostedOn<J extends Dated>(job: J) {
  return { ...job, posted_on: postedOn(job, dayIn(company.hours.timeZone, new Date(job.created_at))) }
}
