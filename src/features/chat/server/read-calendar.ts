import ICAL from 'ical.js'

/** A day of an event of a calendar; `refused` where the event is none. */
export type CalendarDay = {
  /** Position of its event in the file. */
  at: number
  id: string
  name: string
  isEnglish: boolean
  date: string
  refused?: 'timed' | 'long' | 'nameless' | 'broken'
}
export type CalendarPart = CalendarDay | { leftOut: 'past' | 'later' | 'cancelled' }
export type CalendarTask = { text: string; from: string; until: string }

/** Days of one event, and repetitions that are looked at. */
const daysMax = 31
const repeatsMax = 20_000

/** The whole days of an iCalendar file between two dates; null where it is no such file. */
export function readCalendar({ text, from, until }: CalendarTask): CalendarPart[] | null {
  const calendar = parse(text)
  if (calendar?.name !== 'vcalendar') return null
  return calendar.getAllSubcomponents('vevent').flatMap((component, index) => readEvent(component, index + 1, { from, until }))
}

function parse(text: string) {
  try {
    return ICAL.Component.fromString(text)
  } catch {
    return null
  }
}

type Span = { from: string; until: string }

function readEvent(component: ICAL.Component, at: number, span: Span): CalendarPart[] {
  const summary = component.getFirstProperty('summary')
  const name = String(summary?.getFirstValue() ?? '').trim()
  const uid = String(component.getFirstPropertyValue('uid') ?? '') || name
  const language = summary?.getParameter('language')
  const day = { at, name, isEnglish: typeof language === 'string' && /^en/i.test(language) }
  try {
    if (/^cancelled$/i.test(String(component.getFirstPropertyValue('status') ?? ''))) return [{ leftOut: 'cancelled' }]
    const event = new ICAL.Event(component)
    const refused = reasonToRefuse(event, name)
    if (refused) return [{ ...day, id: `${uid} ${at}`, date: '', refused }]
    const found = findDays(event, span)
    if (typeof found === 'string') return [{ leftOut: found }]
    return found.map((date) => ({ ...day, id: `${uid} ${date}`, date }))
  } catch {
    // The library throws plain errors for dates and rules that do not exist.
    return [{ ...day, id: `${uid} ${at}`, date: '', refused: 'broken' }]
  }
}

function reasonToRefuse(event: ICAL.Event, name: string) {
  if (name === '') return 'nameless'
  if (!event.startDate.isDate) return 'timed'
  return event.duration.toSeconds() > daysMax * 86_400 ? 'long' : null
}

const dateOf = (time: ICAL.Time) => time.toString().slice(0, 10)

/** Dates of an event and of its repetitions, or why there are none. */
function findDays(event: ICAL.Event, { from, until }: Span) {
  const length = Math.max(1, Math.round(event.duration.toSeconds() / 86_400))
  const dates = new Set<string>()
  /** Whether the days reach past the end. */
  const take = (start: ICAL.Time) => {
    let isLater = false
    for (let index = 0; index < length; index += 1) {
      const day = start.clone()
      day.adjust(index, 0, 0, 0)
      const date = dateOf(day)
      if (date >= from && date <= until) dates.add(date)
      else if (date > until) isLater = true
    }
    return isLater
  }
  let isLater = false
  if (!event.isRecurring()) isLater = take(event.startDate)
  else {
    const iterator = event.iterator()
    for (let count = 0; count < repeatsMax; count += 1) {
      const next = iterator.next() as ICAL.Time | undefined
      isLater = next !== undefined && take(next)
      if (isLater || !next) break
    }
  }
  if (dates.size > 0) return [...dates]
  return isLater ? 'later' : 'past'
}
