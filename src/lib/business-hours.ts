import { dayIn } from './dates.ts'

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

/** The instant at which a clock in the time zone shows this day and time. */
function instantOf(timeZone: string, day: string, time: string) {
  const shown = Date.parse(`${day}T${time}:00Z`)
  // The offset is looked up twice: the first answer may be that of the other side of a clock change.
  const guess = new Date(shown - offsetAt(timeZone, new Date(shown)))
  return new Date(shown - offsetAt(timeZone, guess))
}

/** How far the zone's clock is ahead of UTC, in milliseconds. */
function offsetAt(timeZone: string, instant: Date) {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '00'
  const shown = Date.parse(`${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`)
  return shown - Math.floor(instant.getTime() / 1_000) * 1_000
}
