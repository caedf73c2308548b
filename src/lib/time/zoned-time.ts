import { addDays } from './dates.ts'
import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** Offset of the zone from UTC, in milliseconds. */
function offsetAt(timeZone: string, instant: Date) {
  return Date.parse(`${shownIn(timeZone, instant)}Z`) - Math.floor(instant.getTime() / 1_000) * 1_000
}

/** Cached: creating a formatter takes a hundred times longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string) {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

/** Local date and time in the zone: YYYY-MM-DDTHH:mm:ss. */
function shownIn(timeZone: string, instant: Date) {
  const parts = formatIn(timeZone).formatToParts(instant)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '00'
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}

/**
 * The instant of a local day and time in a time zone. A time that occurs twice means the first; one that a daylight saving
 * change skips means the moment of the change, when the clocks pass it.
 */
export function instantOf(timeZone: string, day: string, time: string) {
  const shown = Date.parse(`${day}T${time}:00Z`)
  const before = shown - offsetAt(timeZone, new Date(shown - dayMs))
  const after = shown - offsetAt(timeZone, new Date(shown + dayMs))
  for (const instant of [before, after].toSorted((one, other) => one - other)) {
    if (shown - offsetAt(timeZone, new Date(instant)) === instant) return new Date(instant)
  }
  return findChange(timeZone, after, before)
}

/** The minute at which the offset changes between two instants. */
function findChange(timeZone: string, from: number, to: number) {
  const offset = offsetAt(timeZone, new Date(from))
  let [low, high] = [from, to]
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs
    if (offsetAt(timeZone, new Date(middle)) === offset) low = middle
    else high = middle
  }
  return new Date(high)
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

const zoneNames = new Map<string, string>()

/** The name of a time zone, such as `heure de l’Est`. */
export function zoneName(timeZone: string, language: Language) {
  const key = `${timeZone} ${language}`
  const name = zoneNames.get(key) ?? readZoneName(timeZone, language)
  zoneNames.set(key, name)
  return name
}

function readZoneName(timeZone: string, language: Language) {
  const parts = new Intl.DateTimeFormat(locales[language], { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** Offset of a zone from UTC at an instant, in minutes. */
export const utcOffset = (timeZone: string, at: Date) => offsetAt(timeZone, at) / minuteMs
