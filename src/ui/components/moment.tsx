import { formatDateTime } from '#src/lib/time/date-time.ts'
import { formatDay } from '#src/lib/time/dates.ts'
import { useLanguage } from '../language.tsx'

type MomentProps = { at: string; timeZone?: string }

/** A date and time, or a day (YYYY-MM-DD), that programs can read too. */
export function Moment({ at, timeZone }: MomentProps) {
  const language = useLanguage()
  const isDay = /^\d{4}-\d\d-\d\d$/.test(at)
  return (
    <time dateTime={at} className="tabular">
      {isDay ? formatDay(at, language) : formatDateTime(at, language, { timeZone })}
    </time>
  )
}
