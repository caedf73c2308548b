import { addDays, dayIn } from './dates.ts'
import { instantOf } from './zoned-time.ts'
import { dayNames } from './calendar-words.ts'
import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'

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

type Hours = { days: number[]; opens: string; closes: string }

/** A week whose days may differ: Monday to Thursday, 8 AM to 5 PM; Friday, 8 AM to 12 PM. */
export function describeWeek(week: readonly OpenDay[], language: Language) {
  const groups: Hours[] = []
  for (const { day, opens, closes } of week.toSorted((one, other) => one.day - other.day)) {
    const same = groups.find((group) => group.opens === opens && group.closes === closes)
    if (same) same.days.push(day)
    else groups.push({ days: [day], opens, closes })
  }
  return groups.map((group) => describeHours(group, language)).join('; ')
}

/** Monday to Friday, 8 AM to 5 PM. */
export function describeHours({ days, opens, closes }: Hours, language: Language) {
  const names = days.map((day) => dayNames[language][day - 1] ?? '')
  const follow = days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1)
  const [first = '', last = ''] = [names[0], names.at(-1)]
  if (language === 'fr') {
    const when = follow && days.length > 2 ? `du ${first} au ${last}` : new Intl.ListFormat(locales.fr).format(names)
    return `${when}, de ${clock(opens, language)} à ${clock(closes, language)}`
  }
  const when = follow && days.length > 2 ? `${first} to ${last}` : new Intl.ListFormat(locales.en).format(names)
  return `${when}, ${clock(opens, language)} to ${clock(closes, language)}`
}

/** Formats HH:mm: `17 h`, `5 PM`. */
export function clock(time: string, language: Language) {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const minutes = String(minute).padStart(2, '0')
  if (language === 'fr') return `${hour}\u00a0h${minute === 0 ? '' : `\u00a0${minutes}`}`
  return `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${minutes}`}\u00a0${hour < 12 ? 'AM' : 'PM'}`
}

/** The local time (HH:mm) of an instant in a time zone. */
export function clockIn(timeZone: string, instant: Date) {
  return new Intl.DateTimeFormat('en-CA', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant)
}

export type Zone = { zone_name: string; zone_name_en: string; utc_offset: number }

/** The company's time zone in parentheses where the reader's clock has another offset; otherwise empty. */
export function foreignZone(zone: Zone, language: Language, clock: Pick<Date, 'getTimezoneOffset'> = new Date()) {
  if (clock.getTimezoneOffset() === -zone.utc_offset) return ''
  return ` (${language === 'fr' ? zone.zone_name : zone.zone_name_en})`
}
