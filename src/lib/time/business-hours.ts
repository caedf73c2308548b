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

const weekWords = {
  fr: {
    always: '24\u00a0h sur 24, 7\u00a0jours sur\u00a07',
    allDay: '24\u00a0h sur 24',
    everyDay: 'tous les jours',
    never: 'aucune',
  },
  en: { always: '24\u00a0hours a day, 7\u00a0days a week', allDay: '24\u00a0hours', everyDay: 'every day', never: 'none' },
}

/** A week whose days may differ: Monday to Thursday, 8 AM to 12 PM and 1 PM to 5 PM; Friday, 8 AM to 12 PM. */
export function describeWeek(week: readonly OpenDay[], language: Language) {
  const groups: { days: number[]; times: string }[] = []
  const words = weekWords[language]
  for (const { day, spans } of week.toSorted((one, other) => one.day - other.day)) {
    if (spans.length === 0) continue
    const times = describeSpans(spans, language)
    const same = groups.find((group) => group.times === times)
    if (same) same.days.push(day)
    else groups.push({ days: [day], times })
  }
  const [only] = groups
  if (!only) return words.never
  if (only.days.length === 7 && only.times === words.allDay) return words.always
  return groups.map(({ days, times }) => `${describeDays(days, language)}, ${times}`).join('; ')
}

/** 8 AM to 12 PM and 1 PM to 5 PM. */
export function describeSpans(spans: readonly TimeSpan[], language: Language) {
  const [only] = spans
  if (spans.length === 1 && only && isAllDay(only)) return weekWords[language].allDay
  const parts = spans.map(({ opens, closes }) => {
    const [from, to] = [hourOf(opens, language), hourOf(closes, language)]
    return language === 'fr' ? `de ${from} à ${to}` : `${from} to ${to}`
  })
  return new Intl.ListFormat(locales[language]).format(parts)
}

const hourOf = (time: string, language: Language) =>
  time === '24:00' || time === '00:00' ? { fr: 'minuit', en: 'midnight' }[language] : clock(time, language)

/** Monday to Friday. */
function describeDays(days: number[], language: Language) {
  if (days.length === 7) return weekWords[language].everyDay
  const names = days.map((day) => dayNames[language][day - 1] ?? '')
  const areConsecutive = days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1)
  if (!areConsecutive || days.length < 3) return new Intl.ListFormat(locales[language]).format(names)
  const [first = '', last = ''] = [names[0], names.at(-1)]
  return language === 'fr' ? `du ${first} au ${last}` : `${first} to ${last}`
}
