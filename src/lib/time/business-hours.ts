import { addDays, dayIn } from './dates.ts'
import { instantOf } from './zoned-time.ts'

/** Hours of one day of the week: an ISO weekday, 1 is Monday, and HH:mm in the time zone. */
export type OpenDay = { day: number; opens: string; closes: string }

export type BusinessHours = {
  timeZone: string
  /** A missing day is closed. */
  week: readonly OpenDay[]
  holidays: readonly { date: string }[]
}

const dayMs = 86_400_000
const minuteMs = 60_000
type Span = { opens: Date; closes: Date }
/** Cached: time zone conversion is slow, and a yearly report needs the same days many times. */
const knownSpans = new WeakMap<BusinessHours, Map<string, Span | null>>()
/** Longer than any run of holidays. */
const daysAhead = 30

/** The same hours on each of some days. */
export function everyDay(days: readonly number[], opens: string, closes: string): OpenDay[] {
  return days.map((day) => ({ day, opens, closes }))
}

/** When the business hours that include this instant end; null outside business hours. */
export function closingTime(hours: BusinessHours, at: Date): Date | null {
  const span = openSpan(hours, dayIn(hours.timeZone, at))
  return span && at >= span.opens && at < span.closes ? span.closes : null
}

export function isOpen(hours: BusinessHours, at: Date) {
  return closingTime(hours, at) !== null
}

/** The next opening after this instant. */
export function nextOpening(hours: BusinessHours, at: Date): Date | null {
  const today = dayIn(hours.timeZone, at)
  for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
    const span = openSpan(hours, addDays(today, ahead))
    if (span && span.opens > at) return span.opens
  }
  return null
}

/** The last closing at or before this instant. */
export function lastClosing(hours: BusinessHours, at: Date): Date | null {
  const today = dayIn(hours.timeZone, at)
  for (let back = 0; back <= daysAhead; back += 1) {
    const span = openSpan(hours, addDays(today, -back))
    if (span && span.closes <= at) return span.closes
  }
  return null
}

/** Business minutes (with a fraction) between two instants. */
export function businessMinutes(hours: BusinessHours, from: Date, to: Date) {
  let open = 0
  for (let day = dayIn(hours.timeZone, from); Date.parse(`${day}T00:00:00Z`) <= to.getTime() + dayMs; day = addDays(day, 1)) {
    const span = openSpan(hours, day)
    if (span) open += Math.max(0, Math.min(span.closes.getTime(), to.getTime()) - Math.max(span.opens.getTime(), from.getTime()))
  }
  return open / minuteMs
}

/** Opening and closing of one calendar day; null where it is closed. */
function openSpan(hours: BusinessHours, day: string) {
  const known = knownSpans.get(hours) ?? new Map<string, Span | null>()
  knownSpans.set(hours, known)
  const span = known.has(day) ? known.get(day) : findSpan(hours, day)
  known.set(day, span ?? null)
  return span ?? null
}

function findSpan({ timeZone, week, holidays }: BusinessHours, day: string): Span | null {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  const open = week.find((one) => one.day === weekday)
  if (!open || holidays.some((holiday) => holiday.date === day)) return null
  return { opens: instantOf(timeZone, day, open.opens), closes: instantOf(timeZone, day, open.closes) }
}
