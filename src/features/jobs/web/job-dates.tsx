import { formatDay } from '#src/lib/time/dates.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'
import type { EmploymentType } from '../values.ts'
import { employmentWords } from './employment-words.ts'

type JobDatesProps = { job: { posted_on: string; closes_on: string | null; employment_type: EmploymentType | null } }

/** What kind of employment it is, since when the posting is there, and until when. */
export function JobDates({ job }: JobDatesProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const words = [
    job.employment_type && t(employmentWords[job.employment_type]),
    t('posted', { date: formatDay(job.posted_on, language) }),
    job.closes_on && t('until', { date: formatDay(job.closes_on, language) }),
  ]
  return <span className="text-sm text-ink-2">{words.filter(Boolean).join(' · ')}</span>
}
