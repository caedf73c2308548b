import { dayIn } from '#src/lib/time/dates.ts'

export const periodNames = ['today', 'week', 'lastMonth'] as const
type Period = (typeof periodNames)[number]

/** First and last day of a period, as the calendar of a time zone has it; weeks begin on Monday. */
export function periodDays(name: Period, timeZone: string, now: Date) {
  const today = dayIn(timeZone, now)
  if (name === 'today') return { from: today, to: today }
  const day = new Date(`${today}T00:00:00Z`)
  if (name === 'week') {
    day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
    return { from: dayOf(day), to: today }
  }
  day.setUTCDate(0)
  const to = dayOf(day)
  return { from: `${to.slice(0, 8)}01`, to }
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)
