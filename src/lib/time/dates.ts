import { monthNames } from './calendar-words.ts'
import type { Language } from '../language/language.ts'

/** Cached: creating a formatter takes a hundred times longer than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day (YYYY-MM-DD) of an instant in a time zone. */
export function dayIn(timeZone: string, instant: Date) {
  const known = dayFormats.get(timeZone)
  // The en-CA short date is ISO 8601.
  const format = known ?? new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  if (!known) dayFormats.set(timeZone, format)
  return format.format(instant)
}

/** Adds a number of days to a day (YYYY-MM-DD). */
export function addDays(day: string, count: number) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)
}

/** Formats a day (YYYY-MM-DD). */
export function formatDay(day: string, language: Language) {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const name = monthNames[language][month - 1] ?? ''
  return language === 'fr' ? `${date === 1 ? '1er' : date} ${name} ${year}` : `${name} ${date}, ${year}`
}

/** The last second of a day in a time zone, as ISO 8601 with its offset. */
export function endOfDay(timeZone: string, day: string) {
  const names = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const zone = names.formatToParts(new Date(`${day}T23:59:59Z`)).find(({ type }) => type === 'timeZoneName')?.value
  return `${day}T23:59:59${zone?.replace(/^GMT/, '') || '+00:00'}`
}
