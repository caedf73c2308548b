import { company } from '#company/company.ts'
import { dayIn, formatDay } from '#src/lib/dates.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Job } from '../contract.ts'
import { texts } from '../texts.ts'
import { postedOn } from '../values.ts'

/** Since when a posting is there, and until when. */
export function JobDates({ job }: { job: Pick<Job, 'opens_on' | 'closes_on' | 'created_at'> }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const since = postedOn(job, dayIn(company.hours.timeZone, new Date(job.created_at)))
  return (
    <span className="text-sm text-ink-2">
      {t('posted', { date: formatDay(since, language) })}
      {job.closes_on && ` · ${t('until', { date: formatDay(job.closes_on, language) })}`}
    </span>
  )
}
