import { addDays, dayIn } from './dates.ts'
import { instantOf } from './zoned-time.ts'
import { dayNames } from './calendar-words.ts'
import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'
import { clock } from './clock.ts'

/**
 * HH:mm in the time zone. `24:00` is the midnight that ends the day; a closing that is not after its opening is on the next
 * day: `22:00` to `06:00`.
 */
export type TimeSpan = { opens: string; closes: string }

/** Hours that begin on one day of the week, an ISO weekday: 1 is Monday. */
export type OpenDay = { day: number; spans: readonly TimeSpan[] }

export type Schedule = {
  /** A missing day is closed. */
  week: readonly OpenDay[]
  /** On these dates the spans replace those of the week; none: closed. A night shift of the day before still ends. */
  holidays: readonly { date: string; spans: readonly TimeSpan[] }[]
}

export type BusinessHours = Schedule & { timeZone: string }

const minuteMs = 60_000
type Opening = { opens: number; closes: number }
/** Cached: time zone conversion is slow, and a yearly report needs the same days many times. */
const knownOpenings = new WeakMap<BusinessHours, Map<string, readonly Opening[]>>()
/** Longer than any run of holidays. */
const daysAround = 30
/** Hours that do not end within these days do not close. */
const closingDays = 8
const minutesPerDay = 24 * 60

/** The same hours on each of some days. */
export function everyDay(days: readonly number[], opens: string, closes: string) {
  return days.map((day) => ({ day, spans: [{ opens, closes }] }))
}

/** When the business hours that include this instant end; null outside business hours and where they never end. */
export function closingTime(hours: BusinessHours, at: Date): Date | null {
  const today = dayIn(hours.timeZone, at)
  const lastDay = addDays(today, closingDays)
  const opening = findOpenings(hours, today, lastDay).find((one) => isWithin(one, at))
  if (!opening || opening.closes >= instantOf(hours.timeZone, addDays(lastDay, 1), '00:00').getTime()) return null
  return new Date(opening.closes)
}

export function isOpen(hours: BusinessHours, at: Date) {
  const today = dayIn(hours.timeZone, at)
  return findOpenings(hours, today, today).some((one) => isWithin(one, at))
}

/** The next opening after this instant; null where there is none, as when the hours never end. */
export function nextOpening(hours: BusinessHours, at: Date): Date | null {
  const today = dayIn(hours.timeZone, at)
  const found = findOpenings(hours, today, addDays(today, daysAround)).find(({ opens }) => opens > at.getTime())
  return found ? new Date(found.opens) : null
}

/** The last closing at or before this instant. */
export function lastClosing(hours: BusinessHours, at: Date): Date | null {
  const today = dayIn(hours.timeZone, at)
  const found = findOpenings(hours, addDays(today, -daysAround), today).findLast(({ closes }) => closes <= at.getTime())
  return found ? new Date(found.closes) : null
}

/** Business minutes (with a fraction) between two instants. */
export function businessMinutes(hours: BusinessHours, from: Date, to: Date) {
  const openings = findOpenings(hours, dayIn(hours.timeZone, from), dayIn(hours.timeZone, to))
  const open = openings.map(({ opens, closes }) => Math.min(closes, to.getTime()) - Math.max(opens, from.getTime()))
  return open.reduce((sum, one) => sum + Math.max(0, one), 0) / minuteMs
}

const isWithin = ({ opens, closes }: Opening, at: Date) => at.getTime() >= opens && at.getTime() < closes

/** Openings that touch these days, in order; hours that meet, as at midnight, are one opening. */
function findOpenings(hours: BusinessHours, from: string, to: string): Opening[] {
  const openings: Opening[] = []
  for (let day = addDays(from, -1); day <= to; day = addDays(day, 1)) {
    for (const { opens, closes } of openingsOf(hours, day)) {
      const last = openings.at(-1)
      if (last && opens <= last.closes) last.closes = Math.max(last.closes, closes)
      else openings.push({ opens, closes })
    }
  }
  return openings
}

/** Longer than any run of holidays. */
const daysAhead = 30

/** The instant at which so many business minutes after another one are over. */
export function addBusinessMinutes(hours: BusinessHours, from: Date, minutes: number) {
  let left = minutes * minuteMs
  let at = from.getTime()
  for (let day = dayIn(hours.timeZone, from); ; day = addDays(day, daysAhead)) {
    const openings = findOpenings(hours, day, addDays(day, daysAhead)).filter(({ closes }) => closes > at)
    // Never open: minutes of the clock.
    if (openings.length === 0) return new Date(at + left)
    for (const { opens, closes } of openings) {
      const begins = Math.max(opens, at)
      if (left <= closes - begins) return new Date(begins + left)
      left -= closes - begins
      at = closes
    }
  }
}

/** Openings that begin on one calendar day. */
function openingsOf(hours: BusinessHours, day: string) {
  const known = knownOpenings.get(hours) ?? new Map<string, readonly Opening[]>()
  knownOpenings.set(hours, known)
  const openings = known.get(day) ?? computeOpenings(hours, day)
  known.set(day, openings)
  return openings
}

function computeOpenings({ timeZone, week, holidays }: BusinessHours, day: string): Opening[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  const open = holidays.find((holiday) => holiday.date === day) ?? week.find((one) => one.day === weekday)
  const instant = (at: string, time: string) => instantOf(timeZone, at, time).getTime()
  return (open?.spans ?? [])
    .map(({ opens, closes }) => {
      const isNextDay = closes === '24:00' || closes <= opens
      const end = closes === '24:00' ? '00:00' : closes
      return { opens: instant(day, opens), closes: instant(isNextDay ? addDays(day, 1) : day, end) }
    })
    .filter(({ opens, closes }) => closes > opens)
    .toSorted((one, other) => one.opens - other.opens)
}

/** Indexes of the first span of a week that overlaps another one, which may begin on the day before; null where none does. */
export function findOverlap(week: readonly OpenDay[]): { day: number; span: number } | null {
  const spans = week
    .flatMap(({ day, spans: ofDay }, dayIndex) =>
      ofDay.map((span, index) => ({ ...minutesOf(day, span), day: dayIndex, span: index })),
    )
    .toSorted((one, other) => one.opens - other.opens)
  const [first] = spans
  if (!first) return null
  // The week goes round: a Sunday night may reach into Monday.
  const nextWeek = { ...first, opens: first.opens + 7 * minutesPerDay }
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1] ?? nextWeek
    if (span.closes > next.opens) return { day: next.day, span: next.span }
  }
  return null
}

/** Minutes since the start of the week. */
function minutesOf(day: number, { opens, closes }: TimeSpan) {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const start = (day - 1) * minutesPerDay
  return { opens: start + minutes(opens), closes: start + minutes(closes) + (closes <= opens ? minutesPerDay : 0) }
}

export const isAllDay = ({ opens, closes }: TimeSpan) => opens === '00:00' && closes === '24:00'

const to = ['', ' to '] as const
const weekWords = {
  fr: {
    allDay: '24\u00a0h sur 24',
    allWeek: ', 7\u00a0jours sur\u00a07',
    never: 'aucune',
    midnight: 'minuit',
    days: ['du ', ' au '],
    hours: ['de ', ' à '],
  },
  en: {
    allDay: '24\u00a0hours',
    allWeek: ' a day, 7\u00a0days a week',
    never: 'none',
    midnight: 'midnight',
    days: to,
    hours: to,
  },
} as const

const between = ([before, to]: readonly [string, string], from = '', until = '') => before + from + to + until
const listOf = (parts: string[], language: Language) => new Intl.ListFormat(locales[language]).format(parts)

/** A week whose days may differ: Monday to Thursday, 8 AM to 12 PM and 1 PM to 5 PM; Friday, 8 AM to 12 PM. */
export function describeWeek(week: readonly OpenDay[], language: Language) {
  const words = weekWords[language]
  const groups = new Map<string, number[]>()
  for (const { day, spans } of week.toSorted((one, other) => one.day - other.day)) {
    const times = describeSpans(spans, language)
    if (times) groups.set(times, [...(groups.get(times) ?? []), day])
  }
  if (groups.get(words.allDay)?.length === 7) return words.allDay + words.allWeek
  return [...groups].map(([times, days]) => `${describeDays(days, language)}, ${times}`).join('; ') || words.never
}

/** 8 AM to 12 PM and 1 PM to 5 PM. */
function describeSpans(spans: readonly TimeSpan[], language: Language) {
  const words = weekWords[language]
  const hourOf = (time: string) => (time === '00:00' || time === '24:00' ? words.midnight : clock(time, language))
  const times = spans.map((span) =>
    isAllDay(span) ? words.allDay : between(words.hours, hourOf(span.opens), hourOf(span.closes)),
  )
  return listOf(times, language)
}

/** Monday to Friday; `days` are in order. */
function describeDays(days: number[], language: Language) {
  const words = weekWords[language]
  const names = days.map((day) => dayNames[language][day - 1] ?? '')
  const areConsecutive = days.length > 2 && (days.at(-1) ?? 0) - (days[0] ?? 0) === days.length - 1
  return areConsecutive ? between(words.days, names[0], names.at(-1)) : listOf(names, language)
}
