import { addDays } from './dates.ts'
import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'

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

/** The name of a time zone, such as `heure de l’Est`. */
export function zoneName(timeZone: string, language: Language) {
  const parts = new Intl.DateTimeFormat(locales[language], { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** Offset of a zone from UTC at an instant, in minutes. */
export function utcOffset(timeZone: string, at: Date) {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
