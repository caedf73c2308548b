import { addDays } from './dates.ts'

/** How far the zone's clock is ahead of UTC, in milliseconds. */
function offsetAt(timeZone: string, instant: Date) {
  return Date.parse(`${shownIn(timeZone, instant)}Z`) - Math.floor(instant.getTime() / 1_000) * 1_000
}

/** What a clock in the time zone shows: YYYY-MM-DDTHH:mm:ss. */
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

/** The instant at which a clock in the time zone shows this day and time. */
export function instantOf(timeZone: string, day: string, time: string) {
  const shown = Date.parse(`${day}T${time}:00Z`)
  // The offset is looked up twice: the first answer may be that of the other side of a clock change.
  const guess = new Date(shown - offsetAt(timeZone, new Date(shown)))
  return new Date(shown - offsetAt(timeZone, guess))
}

/** The day and the minute that a clock in the time zone shows, as YYYY-MM-DDTHH:mm. */
export function localTime(timeZone: string, instant: Date) {
  return shownIn(timeZone, instant).slice(0, 16)
}

/**
 * The instant of a local time written YYYY-MM-DDTHH:mm; of the hour that comes twice, the first.
 * Null for what is no such time, and for the hour that a clock change leaves out.
 */
export function parseLocalTime(timeZone: string, local: string): Date | null {
  const [day, time] = local.split('T')
  if (!day || !time || !/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) || Number.isNaN(Date.parse(`${local}:00Z`))) return null
  const instant = instantOf(timeZone, day, time)
  return localTime(timeZone, instant) === local ? instant : null
}

/** The instants at which a calendar day begins and the next one does: 23, 24 or 25 hours. */
export function daySpan(timeZone: string, day: string) {
  return { starts: instantOf(timeZone, day, '00:00'), ends: instantOf(timeZone, addDays(day, 1), '00:00') }
}
