import { addDays } from './dates.ts'

/** Offset of the zone from UTC, in milliseconds. */
function offsetAt(timeZone: string, instant: Date) {
  return Date.parse(`${shownIn(timeZone, instant)}Z`) - Math.floor(instant.getTime() / 1_000) * 1_000
}

/** Local date and time in the zone: YYYY-MM-DDTHH:mm:ss. */
function shownIn(timeZone: string, instant: Date) {
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
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}

/** The instant of a local day and time in a time zone. */
export function instantOf(timeZone: string, day: string, time: string) {
  const shown = Date.parse(`${day}T${time}:00Z`)
  // The offset is computed twice: the first guess may lie on the other side of a daylight saving change.
  const guess = new Date(shown - offsetAt(timeZone, new Date(shown)))
  return new Date(shown - offsetAt(timeZone, guess))
}

/** Local date and time in the zone, as YYYY-MM-DDTHH:mm. */
export function localTime(timeZone: string, instant: Date) {
  return shownIn(timeZone, instant).slice(0, 16)
}

/**
 * Parses a local time (YYYY-MM-DDTHH:mm). A time that occurs twice means the first. Null for an invalid time and for one that a
 * daylight saving change skips.
 */
export function parseLocalTime(timeZone: string, local: string): Date | null {
  const [day, time] = local.split('T')
  if (!day || !time || !/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) || Number.isNaN(Date.parse(`${local}:00Z`))) return null
  const instant = instantOf(timeZone, day, time)
  return localTime(timeZone, instant) === local ? instant : null
}

/** Start and end of a calendar day: 23, 24 or 25 hours. */
export function daySpan(timeZone: string, day: string) {
  return { starts: instantOf(timeZone, day, '00:00'), ends: instantOf(timeZone, addDays(day, 1), '00:00') }
}
