import { dayIn } from './dates.ts'
import { instantOf } from './zoned-time.ts'

/** Hours of one day of the week: an ISO weekday, 1 is Monday, and HH:mm in the time zone. */
export type OpenDay = { day: number; opens: string; closes: string }

export type BusinessHours = {
  timeZone: string
  /** A day that is not named is closed. */
  week: readonly OpenDay[]
  holidays: readonly { date: string }[]
}

const dayMs = 86_400_000
/** Farther than any run of holidays. */
const daysAhead = 30

/** The same hours on each of some days. */
export function everyDay(days: readonly number[], opens: string, closes: string): OpenDay[] {
  return days.map((day) => ({ day, opens, closes }))
}

/** When the counter that is open at this instant closes; null where it is shut. */
export function closingTime(hours: BusinessHours, at: Date): Date | null {
  const span = openSpan(hours, dayIn(hours.timeZone, at))
  return span && at >= span.opens && at < span.closes ? span.closes : null
}

export function isOpen(hours: BusinessHours, at: Date) {
  return closingTime(hours, at) !== null
}

/** When the counter opens next, after this instant. */
export function nextOpening(hours: BusinessHours, at: Date): Date | null {
  const today = dayIn(hours.timeZone, at)
  for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
    const span = openSpan(hours, addDays(today, ahead))
    if (span && span.opens > at) return span.opens
  }
  return null
}

/** When the counter closed last, at or before this instant. */
export function lastClosing(hours: BusinessHours, at: Date): Date | null {
  const today = dayIn(hours.timeZone, at)
  for (let back = 0; back <= daysAhead; back += 1) {
    const span = openSpan(hours, addDays(today, -back))
    if (span && span.closes <= at) return span.closes
  }
  return null
}

/** Both ends of one calendar day's hours; null where the counter stays closed. */
function openSpan({ timeZone, week, holidays }: BusinessHours, day: string) {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  const open = week.find((one) => one.day === weekday)
  if (!open || holidays.some((holiday) => holiday.date === day)) return null
  return { opens: instantOf(timeZone, day, open.opens), closes: instantOf(timeZone, day, open.closes) }
}

function addDays(day: string, count: number) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10)
}
