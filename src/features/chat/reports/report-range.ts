import { company } from '#company/company.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'

export type FiguresRange = { from: string; to: string }

const usualDays = 30
const longest = 365

/** The last days up to today, in the company's time zone. */
export function lastDays(count: number, now = new Date()): FiguresRange {
  const to = dayIn(company.hours.timeZone, now)
  return { from: addDays(to, 1 - count), to }
}

/** The range of the query string, or the default one; null where it is invalid. */
export function readRange(query: URLSearchParams, now = new Date()): FiguresRange | null {
  const usual = lastDays(usualDays, now)
  const from = query.get('from') || usual.from
  const to = query.get('to') || usual.to
  if (!isDay(from) || !isDay(to) || from > to || addDays(from, longest) < to) return null
  return { from, to }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
