import { describe, expect, test } from 'vitest'
import {
  businessMinutes,
  closingTime,
  everyDay,
  isOpen,
  lastClosing,
  nextOpening,
  clock,
  clockIn,
  describeHours,
  describeWeek,
} from './business-hours.ts'
import { daySpan } from './zoned-time.ts'
import { locales } from '../language/language.ts'

const hours = {
  timeZone: 'America/Toronto',
  week: everyDay([1, 2, 3, 4, 5], '08:00', '17:00'),
  holidays: [{ date: '2026-12-25' }],
}
const at = (text: string) => new Date(text)

describe('business hours', () => {
  test('are right to the minute: 8:00 opens, 17:00 is closed', () => {
    expect(isOpen(hours, at('2026-11-20T07:59:59-05:00'))).toBe(false)
    expect(isOpen(hours, at('2026-11-20T08:00:00-05:00'))).toBe(true)
    expect(isOpen(hours, at('2026-11-20T16:59:59-05:00'))).toBe(true)
    expect(isOpen(hours, at('2026-11-20T17:00:00-05:00'))).toBe(false)
  })

  test('are closed at 23:59, on week-ends and on holidays', () => {
    expect(isOpen(hours, at('2026-11-20T23:59:00-05:00'))).toBe(false)
    expect(isOpen(hours, at('2026-11-21T10:00:00-05:00'))).toBe(false)
    expect(isOpen(hours, at('2026-12-25T10:00:00-05:00'))).toBe(false)
  })

  test('end at 17:00 of the same day', () => {
    expect(closingTime(hours, at('2026-11-20T10:00:00-05:00'))).toEqual(at('2026-11-20T17:00:00-05:00'))
    expect(closingTime(hours, at('2026-11-20T18:00:00-05:00'))).toBeNull()
  })

  test('open next on Monday after a Friday evening, and after Christmas on Monday', () => {
    expect(nextOpening(hours, at('2026-11-20T17:00:00-05:00'))).toEqual(at('2026-11-23T08:00:00-05:00'))
    expect(nextOpening(hours, at('2026-12-24T18:00:00-05:00'))).toEqual(at('2026-12-28T08:00:00-05:00'))
    expect(nextOpening(hours, at('2026-11-20T06:00:00-05:00'))).toEqual(at('2026-11-20T08:00:00-05:00'))
  })

  test('keep their clock over both changes of it', () => {
    // The clock goes forward on 8 March 2026 and back on 1 November 2026, both Sundays.
    expect(nextOpening(hours, at('2026-03-06T18:00:00-05:00'))).toEqual(at('2026-03-09T08:00:00-04:00'))
    expect(nextOpening(hours, at('2026-10-30T18:00:00-04:00'))).toEqual(at('2026-11-02T08:00:00-05:00'))
    const dayAndNight = { ...hours, week: everyDay([1, 2, 3, 4, 5, 6, 7], '00:30', '23:30') }
    expect(closingTime(dayAndNight, at('2026-03-08T01:00:00-05:00'))).toEqual(at('2026-03-08T23:30:00-04:00'))
    expect(closingTime(dayAndNight, at('2026-11-01T01:30:00-05:00'))).toEqual(at('2026-11-01T23:30:00-05:00'))
  })

  test('closed last on Friday, seen from Sunday, and yesterday, seen from the morning', () => {
    expect(lastClosing(hours, at('2026-11-22T12:00:00-05:00'))).toEqual(at('2026-11-20T17:00:00-05:00'))
    expect(lastClosing(hours, at('2026-11-20T09:00:00-05:00'))).toEqual(at('2026-11-19T17:00:00-05:00'))
    expect(lastClosing(hours, at('2026-11-20T17:00:00-05:00'))).toEqual(at('2026-11-20T17:00:00-05:00'))
  })

  test('differ by day of the week', () => {
    const late = { ...hours, week: [...everyDay([1, 2, 3], '08:00', '17:00'), { day: 4, opens: '10:00', closes: '20:00' }] }
    expect(isOpen(late, at('2026-11-19T09:30:00-05:00'))).toBe(false)
    expect(closingTime(late, at('2026-11-19T19:30:00-05:00'))).toEqual(at('2026-11-19T20:00:00-05:00'))
    expect(nextOpening(late, at('2026-11-18T18:00:00-05:00'))).toEqual(at('2026-11-19T10:00:00-05:00'))
    expect(isOpen(late, at('2026-11-20T10:00:00-05:00'))).toBe(false)
  })

  test('never open where there is no working day', () => {
    expect(nextOpening({ ...hours, week: [] }, at('2026-11-20T10:00:00-05:00'))).toBeNull()
  })
})

describe('business minutes', () => {
  const minutes = (from: string, to: string, week = hours.week) => businessMinutes({ ...hours, week }, at(from), at(to))

  test('count the open time only: over a night, a week-end and a holiday', () => {
    expect(minutes('2026-11-20T10:00:00-05:00', '2026-11-20T10:07:30-05:00')).toBe(7.5)
    expect(minutes('2026-11-19T16:50:00-05:00', '2026-11-20T08:05:00-05:00')).toBe(15)
    expect(minutes('2026-11-20T16:50:00-05:00', '2026-11-23T08:05:00-05:00')).toBe(15)
    expect(minutes('2026-12-24T16:00:00-05:00', '2026-12-28T09:00:00-05:00')).toBe(120)
    expect(minutes('2026-11-21T10:00:00-05:00', '2026-11-21T18:00:00-05:00')).toBe(0)
    expect(minutes('2026-11-20T07:00:00-05:00', '2026-11-20T23:59:00-05:00')).toBe(540)
  })

  test('are none where the end comes before the beginning', () => {
    expect(minutes('2026-11-20T11:00:00-05:00', '2026-11-20T10:00:00-05:00')).toBe(0)
  })

  test('know that one night of the year has an hour less and one an hour more', () => {
    const allDay = everyDay([1, 2, 3, 4, 5, 6, 7], '00:00', '23:59')
    expect(minutes('2026-03-08T00:00:00-05:00', '2026-03-08T06:00:00-04:00', allDay)).toBe(300)
    expect(minutes('2026-11-01T00:00:00-04:00', '2026-11-01T06:00:00-05:00', allDay)).toBe(420)
    expect(minutes('2026-03-06T16:00:00-05:00', '2026-03-09T09:00:00-04:00')).toBe(120)
    expect(minutes('2026-10-30T16:00:00-04:00', '2026-11-02T09:00:00-05:00')).toBe(120)
  })

  test('a day is 23, 24 or 25 hours long', () => {
    const length = (day: string) => {
      const { starts, ends } = daySpan('America/Toronto', day)
      return (ends.getTime() - starts.getTime()) / 3_600_000
    }
    expect([length('2026-03-08'), length('2026-03-09'), length('2026-11-01')]).toEqual([23, 24, 25])
  })
})

const weekdays = { days: [1, 2, 3, 4, 5], opens: '08:00', closes: '17:00' }

describe('hours in words', () => {
  test('name the first and the last of days that follow', () => {
    expect(describeHours(weekdays, 'fr')).toBe('du lundi au vendredi, de 8\u00a0h à 17\u00a0h')
    expect(describeHours(weekdays, 'en')).toBe('Monday to Friday, 8\u00a0AM to 5\u00a0PM')
  })

  test('name each of days that do not, with their minutes', () => {
    expect(describeHours({ days: [2, 4], opens: '12:00', closes: '20:30' }, 'fr')).toBe(
      'mardi et jeudi, de 12\u00a0h à 20\u00a0h\u00a030',
    )
    expect(describeHours({ days: [2, 4], opens: '00:00', closes: '20:30' }, 'en')).toBe(
      'Tuesday and Thursday, 12\u00a0AM to 8:30\u00a0PM',
    )
  })

  test('name the days as Intl does', () => {
    for (const language of ['fr', 'en'] as const) {
      const format = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone: 'UTC' })
      // 1 January 2024 was a Monday.
      for (const day of [1, 2, 3, 4, 5, 6, 7]) {
        const text = describeHours({ ...weekdays, days: [day] }, language)
        expect(text.startsWith(`${format.format(new Date(Date.UTC(2024, 0, day)))}, `)).toBe(true)
      }
    }
  })

  test('group the days of a week that keep the same hours', () => {
    const week = [
      { day: 5, opens: '08:00', closes: '12:00' },
      ...[1, 2, 3, 4].map((day) => ({ day, opens: '08:00', closes: '17:00' })),
    ]
    expect(describeWeek(week, 'fr')).toBe('du lundi au jeudi, de 8\u00a0h à 17\u00a0h; vendredi, de 8\u00a0h à 12\u00a0h')
    expect(describeWeek(week, 'en')).toBe('Monday to Thursday, 8\u00a0AM to 5\u00a0PM; Friday, 8\u00a0AM to 12\u00a0PM')
  })
})

test('an instant is formatted in the local time of a zone', () => {
  const closing = clockIn('America/Toronto', new Date('2026-07-03T16:30:00Z'))
  expect(closing).toBe('12:30')
  expect(clock(closing, 'fr')).toBe('12\u00a0h\u00a030')
  expect(clock(closing, 'en')).toBe('12:30\u00a0PM')
  expect(clockIn('America/Toronto', new Date('2026-01-05T05:00:00Z'))).toBe('00:00')
})
