import { formatDay } from '#src/lib/dates.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'

/** Since when a posting is there, and until when. */
export function JobDates({ job }: { job: { posted_on: string; closes_on: string | null } }) {
  const t = useTexts(texts)
  const language = useLanguage()
  return (
    <span className="text-sm text-ink-2">
      {t('posted', { date: formatDay(job.posted_on, language) })}
      {job.closes_on && ` · ${t('until', { date: formatDay(job.closes_on, language) })}`}
    </span>
  )
}
