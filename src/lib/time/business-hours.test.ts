import { describe, expect, test } from 'vitest'
import { businessMinutes, closingTime, everyDay, isOpen, lastClosing, nextOpening } from './business-hours.ts'
import { daySpan } from './zoned-time.ts'

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
