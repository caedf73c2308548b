import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { clock, clockIn } from './clock.ts'
import {
  addBusinessMinutes,
  businessMinutes,
  closingTime,
  everyDay,
  isOpen,
  lastClosing,
  nextOpening,
  describeWeek,
  findOverlap,
} from './business-hours.ts'
import type { BusinessHours } from './business-hours.ts'
import { daySpan } from './zoned-time.ts'
import { locales } from '../language/language.ts'

const hours = {
  timeZone: 'America/Toronto',
  week: everyDay([1, 2, 3, 4, 5], '08:00', '17:00'),
  holidays: [{ date: '2026-12-25', spans: [] }],
}
const at = (text: string) => new Date(text)

test('the hours and holidays of the company folder are the first settings of the chat and nothing else', () => {
  const readsHours = /company\/holidays|company\.hours(?!\.timeZone)|\bhours\b[^\n}]*\} = company\b/
  const isTimeZoneOnly = /^ *const \{ timeZone \} = company\.hours$/gm
  const files = globSync('src/{app,features,ui}/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'))
  const readers = files.filter((file) => readsHours.test(readFileSync(file, 'utf8').replaceAll(isTimeZoneOnly, '')))
  expect(readers).toEqual(['src/features/chat/server/settings.ts'])
})

describe('business hours', () => {
  test('are right to the minute: 8:00 opens, 17:00 is closed', () => {
    expect(isOpen(hours, at('2026-11-20T07:59:59-05:00'))).toBe(false)
    expect(isOpen(hours, at('2026-11-20T08:00:00-05:00'))).toBe(true)
    expect(isOpen(hours, at('2026-11-20T16:59:59-05:00'))).toBe(true)
    expect(isOpen(hours, at('2026-11-20T17:00:00-05:00'))).toBe(false)
  })

  test('are closed at 23:59, on weekends and on holidays', () => {
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

  test('follow local time over both daylight saving changes', () => {
    // The clock goes forward on 8 March 2026 and back on 1 November 2026, both Sundays.
    expect(nextOpening(hours, at('2026-03-06T18:00:00-05:00'))).toEqual(at('2026-03-09T08:00:00-04:00'))
    expect(nextOpening(hours, at('2026-10-30T18:00:00-04:00'))).toEqual(at('2026-11-02T08:00:00-05:00'))
    const dayAndNight = { ...hours, week: everyDay([1, 2, 3, 4, 5, 6, 7], '00:30', '23:30') }
    expect(closingTime(dayAndNight, at('2026-03-08T01:00:00-05:00'))).toEqual(at('2026-03-08T23:30:00-04:00'))
    expect(closingTime(dayAndNight, at('2026-11-01T01:30:00-05:00'))).toEqual(at('2026-11-01T23:30:00-05:00'))
  })

  test('return the last closing: Friday from Sunday, yesterday from the morning', () => {
    expect(lastClosing(hours, at('2026-11-22T12:00:00-05:00'))).toEqual(at('2026-11-20T17:00:00-05:00'))
    expect(lastClosing(hours, at('2026-11-20T09:00:00-05:00'))).toEqual(at('2026-11-19T17:00:00-05:00'))
    expect(lastClosing(hours, at('2026-11-20T17:00:00-05:00'))).toEqual(at('2026-11-20T17:00:00-05:00'))
  })

  test('differ by day of the week', () => {
    const late = { ...hours, week: [...everyDay([1, 2, 3], '08:00', '17:00'), ...everyDay([4], '10:00', '20:00')] }
    expect(isOpen(late, at('2026-11-19T09:30:00-05:00'))).toBe(false)
    expect(closingTime(late, at('2026-11-19T19:30:00-05:00'))).toEqual(at('2026-11-19T20:00:00-05:00'))
    expect(nextOpening(late, at('2026-11-18T18:00:00-05:00'))).toEqual(at('2026-11-19T10:00:00-05:00'))
    expect(isOpen(late, at('2026-11-20T10:00:00-05:00'))).toBe(false)
  })

  test('never open where there is no working day', () => {
    expect(nextOpening({ ...hours, week: [] }, at('2026-11-20T10:00:00-05:00'))).toBeNull()
  })
})

const everyWeekday = [1, 2, 3, 4, 5, 6, 7]
const state = (of: BusinessHours, text: string) => {
  const [closes, opens] = [closingTime(of, at(text)), nextOpening(of, at(text))]
  return { open: isOpen(of, at(text)), closes: closes?.toISOString(), opens: opens?.toISOString() }
}
const instant = (text: string) => at(text).toISOString()

describe('several spans a day', () => {
  const lunch = {
    ...hours,
    week: [1, 2, 3, 4, 5].map((day) => ({
      day,
      spans: [
        { opens: '13:00', closes: '17:00' },
        { opens: '08:00', closes: '12:00' },
      ],
    })),
  }

  test('are closed between two', () => {
    expect(state(lunch, '2026-11-20T11:59:59-05:00')).toMatchObject({ open: true, closes: instant('2026-11-20T12:00:00-05:00') })
    expect(state(lunch, '2026-11-20T12:00:00-05:00')).toEqual({
      open: false,
      closes: undefined,
      opens: instant('2026-11-20T13:00:00-05:00'),
    })
    expect(state(lunch, '2026-11-20T13:00:00-05:00')).toMatchObject({ open: true, closes: instant('2026-11-20T17:00:00-05:00') })
    expect(lastClosing(lunch, at('2026-11-20T12:30:00-05:00'))).toEqual(at('2026-11-20T12:00:00-05:00'))
    expect(businessMinutes(lunch, at('2026-11-20T11:00:00-05:00'), at('2026-11-20T14:00:00-05:00'))).toBe(120)
  })

  test('that meet are one', () => {
    const met = {
      ...hours,
      week: [
        { day: 5, spans: [...everyDay([5], '08:00', '12:00'), ...everyDay([5], '12:00', '17:00')].flatMap(({ spans }) => spans) },
      ],
    }
    expect(state(met, '2026-11-20T09:00:00-05:00').closes).toBe(instant('2026-11-20T17:00:00-05:00'))
    expect(isOpen(met, at('2026-11-20T12:00:00-05:00'))).toBe(true)
  })
})

describe('hours past midnight', () => {
  const nights = { ...hours, week: everyDay([1, 2, 3, 4, 5], '22:00', '06:00') }

  test('belong to the day on which they begin', () => {
    expect(state(nights, '2026-11-20T23:59:59-05:00')).toMatchObject({ open: true, closes: instant('2026-11-21T06:00:00-05:00') })
    expect(state(nights, '2026-11-21T05:59:59-05:00')).toMatchObject({ open: true, closes: instant('2026-11-21T06:00:00-05:00') })
    expect(state(nights, '2026-11-21T06:00:00-05:00')).toEqual({
      open: false,
      closes: undefined,
      opens: instant('2026-11-23T22:00:00-05:00'),
    })
    // Early on Monday: nobody began on Sunday.
    expect(isOpen(nights, at('2026-11-23T05:00:00-05:00'))).toBe(false)
    expect(lastClosing(nights, at('2026-11-23T05:00:00-05:00'))).toEqual(at('2026-11-21T06:00:00-05:00'))
  })

  test('end in the morning of a holiday, and do not begin on its evening', () => {
    expect(state(nights, '2026-12-25T05:00:00-05:00')).toMatchObject({ open: true, closes: instant('2026-12-25T06:00:00-05:00') })
    expect(state(nights, '2026-12-25T23:00:00-05:00')).toMatchObject({ open: false, opens: instant('2026-12-28T22:00:00-05:00') })
  })

  test('have seven hours in the night of spring and nine in that of autumn', () => {
    const all = { ...hours, week: everyDay(everyWeekday, '22:00', '06:00') }
    const length = (from: string, to: string) => businessMinutes(all, at(from), at(to))
    expect(length('2026-03-07T21:00:00-05:00', '2026-03-08T07:00:00-04:00')).toBe(420)
    expect(length('2026-10-31T21:00:00-04:00', '2026-11-01T07:00:00-05:00')).toBe(540)
    expect(state(all, '2026-03-08T03:00:00-04:00').closes).toBe(instant('2026-03-08T06:00:00-04:00'))
    expect(state(all, '2026-11-01T01:30:00-05:00').closes).toBe(instant('2026-11-01T06:00:00-05:00'))
  })

  test('that begin or end at an hour which is skipped do so when the clocks go forward; one that comes twice is the first', () => {
    const skipped = {
      ...hours,
      week: [{ day: 7, spans: [{ opens: '02:30', closes: '05:00' }] }, ...everyDay([6], '23:00', '02:15')],
    }
    expect(isOpen(skipped, at('2026-03-08T01:59:59-05:00'))).toBe(true)
    expect(state(skipped, '2026-03-08T03:00:00-04:00')).toMatchObject({
      open: true,
      closes: instant('2026-03-08T05:00:00-04:00'),
    })
    const twice = { ...hours, week: everyDay([7], '01:30', '02:00') }
    expect(nextOpening(twice, at('2026-11-01T00:00:00-04:00'))).toEqual(at('2026-11-01T01:30:00-04:00'))
    expect(businessMinutes(twice, at('2026-11-01T00:00:00-04:00'), at('2026-11-01T06:00:00-05:00'))).toBe(90)
  })
})

describe('24 hours', () => {
  const always = { ...hours, holidays: [], week: everyDay(everyWeekday, '00:00', '24:00') }

  test('every day never close, on no night of the year', () => {
    for (const text of [
      '2026-11-20T23:59:59-05:00',
      '2026-11-21T00:00:00-05:00',
      '2026-03-08T03:00:00-04:00',
      '2026-11-01T01:30:00-05:00',
    ]) {
      expect(state(always, text)).toEqual({ open: true, closes: undefined, opens: undefined })
      expect(lastClosing(always, at(text))).toBeNull()
    }
    expect(businessMinutes(always, at('2026-10-31T00:00:00-04:00'), at('2026-11-02T00:00:00-05:00'))).toBe(49 * 60)
  })

  test('close for a holiday from midnight to midnight', () => {
    const closed = { ...always, holidays: hours.holidays }
    expect(state(closed, '2026-12-24T23:59:00-05:00')).toMatchObject({ open: true, closes: instant('2026-12-25T00:00:00-05:00') })
    expect(state(closed, '2026-12-25T12:00:00-05:00')).toMatchObject({ open: false, opens: instant('2026-12-26T00:00:00-05:00') })
  })

  test('on one day close at midnight', () => {
    const friday = { ...hours, week: everyDay([5], '00:00', '24:00') }
    expect(state(friday, '2026-11-20T23:59:59-05:00')).toMatchObject({ open: true, closes: instant('2026-11-21T00:00:00-05:00') })
    expect(isOpen(friday, at('2026-11-21T00:00:00-05:00'))).toBe(false)
  })
})

test('a holiday may have hours of its own, in place of those of its weekday', () => {
  const eve = { ...hours, holidays: [{ date: '2026-12-24', spans: [{ opens: '08:00', closes: '12:00' }] }] }
  expect(state(eve, '2026-12-24T11:59:00-05:00')).toMatchObject({ open: true, closes: instant('2026-12-24T12:00:00-05:00') })
  expect(state(eve, '2026-12-24T12:00:00-05:00')).toMatchObject({ open: false, opens: instant('2026-12-25T08:00:00-05:00') })
})

test.each([
  ['none', everyDay(everyWeekday, '00:00', '24:00'), null],
  [
    'spans that meet',
    [
      {
        day: 1,
        spans: [
          { opens: '13:00', closes: '17:00' },
          { opens: '08:00', closes: '13:00' },
        ],
      },
    ],
    null,
  ],
  [
    'two of one day',
    [
      {
        day: 1,
        spans: [
          { opens: '12:00', closes: '17:00' },
          { opens: '08:00', closes: '13:00' },
        ],
      },
    ],
    { day: 0, span: 0 },
  ],
  ['a night and the next morning', [...everyDay([2], '05:00', '09:00'), ...everyDay([1], '22:00', '06:00')], { day: 0, span: 0 }],
  ['Sunday night and Monday', [...everyDay([1], '05:00', '09:00'), ...everyDay([7], '22:00', '06:00')], { day: 0, span: 0 }],
  ['a span and itself, a week later', everyDay([7], '10:00', '09:00'), null],
])('an overlap is found: %s', (_name, week, found) => {
  expect(findOverlap(week)).toEqual(found)
})

describe('business minutes', () => {
  const minutes = (from: string, to: string, week = hours.week) => businessMinutes({ ...hours, week }, at(from), at(to))

  test('count the open time only: over a night, a weekend and a holiday', () => {
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

  test('respect both daylight saving changes', () => {
    const allDay = everyDay([1, 2, 3, 4, 5, 6, 7], '00:00', '24:00')
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

describe('described hours', () => {
  test('name the first and the last of consecutive days', () => {
    expect(describeWeek(hours.week, 'fr')).toBe('du lundi au vendredi, de 8\u00a0h à 17\u00a0h')
    expect(describeWeek(hours.week, 'en')).toBe('Monday to Friday, 8\u00a0AM to 5\u00a0PM')
  })

  test('name each of other days, with minutes', () => {
    expect(describeWeek(everyDay([2, 4], '12:00', '20:30'), 'fr')).toBe('mardi et jeudi, de 12\u00a0h à 20\u00a0h\u00a030')
    expect(describeWeek(everyDay([2, 4], '00:00', '20:30'), 'en')).toBe('Tuesday and Thursday, midnight to 8:30\u00a0PM')
  })

  test('name the days like Intl', () => {
    for (const language of ['fr', 'en'] as const) {
      const format = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone: 'UTC' })
      // 1 January 2024 was a Monday.
      for (const day of [1, 2, 3, 4, 5, 6, 7]) {
        const text = describeWeek(everyDay([day], '08:00', '17:00'), language)
        expect(text.startsWith(`${format.format(new Date(Date.UTC(2024, 0, day)))}, `)).toBe(true)
      }
    }
  })

  test('group the days of a week that keep the same hours', () => {
    const week = [...everyDay([5], '08:00', '12:00'), ...everyDay([1, 2, 3, 4], '08:00', '17:00')]
    expect(describeWeek(week, 'fr')).toBe('du lundi au jeudi, de 8\u00a0h à 17\u00a0h; vendredi, de 8\u00a0h à 12\u00a0h')
    expect(describeWeek(week, 'en')).toBe('Monday to Thursday, 8\u00a0AM to 5\u00a0PM; Friday, 8\u00a0AM to 12\u00a0PM')
  })

  test('name each span, the night, and what is always open or never', () => {
    const spans = [
      { opens: '08:00', closes: '12:00' },
      { opens: '13:00', closes: '24:00' },
    ]
    const week = [1, 2, 3].map((day) => ({ day, spans }))
    expect(describeWeek(week, 'fr')).toBe('du lundi au mercredi, de 8\u00a0h à 12\u00a0h et de 13\u00a0h à minuit')
    expect(describeWeek(week, 'en')).toBe('Monday to Wednesday, 8\u00a0AM to 12\u00a0PM and 1\u00a0PM to midnight')
    expect(describeWeek(everyDay(everyWeekday, '22:00', '06:00'), 'fr')).toBe('du lundi au dimanche, de 22\u00a0h à 6\u00a0h')
    expect(describeWeek(everyDay(everyWeekday, '00:00', '24:00'), 'fr')).toBe('24\u00a0h sur 24, 7\u00a0jours sur\u00a07')
    expect(describeWeek(everyDay([6], '00:00', '24:00'), 'en')).toBe('Saturday, 24\u00a0hours')
    expect([describeWeek([], 'fr'), describeWeek([{ day: 1, spans: [] }], 'en')]).toEqual(['aucune', 'none'])
  })
})

test('an instant is formatted in the local time of a zone', () => {
  const closing = clockIn('America/Toronto', new Date('2026-07-03T16:30:00Z'))
  expect(closing).toBe('12:30')
  expect(clock(closing, 'fr')).toBe('12\u00a0h\u00a030')
  expect(clock(closing, 'en')).toBe('12:30\u00a0PM')
  expect(clockIn('America/Toronto', new Date('2026-01-05T05:00:00Z'))).toBe('00:00')
})

describe('business minutes after an instant', () => {
  const hours = {
    timeZone: 'America/Toronto',
    week: everyDay([1, 2, 3, 4, 5], '08:00', '17:00'),
    holidays: [{ date: '2026-12-25', spans: [] }],
  }
  test.each([
    ['within the day', '2026-11-20T14:00:00Z', 60, '2026-11-20T15:00:00.000Z'],
    ['over the weekend', '2026-11-20T21:30:00Z', 60, '2026-11-23T13:30:00.000Z'],
    ['from the night on', '2026-11-24T03:00:00Z', 30, '2026-11-24T13:30:00.000Z'],
    ['over a holiday', '2026-12-24T21:00:00Z', 120, '2026-12-28T14:00:00.000Z'],
    ['to the minute of closing', '2026-11-20T14:00:00Z', 480, '2026-11-20T22:00:00.000Z'],
    ['over several days', '2026-11-16T13:00:00Z', 1080, '2026-11-17T22:00:00.000Z'],
  ])('%s', (_name, from, minutes, wanted) => {
    expect(addBusinessMinutes(hours, new Date(from), minutes).toISOString()).toBe(wanted)
  })

  test('of a company that is never open are minutes of the clock', () => {
    const from = new Date('2026-11-20T14:00:00Z')
    expect(addBusinessMinutes({ ...hours, week: [] }, from, 60)).toEqual(new Date('2026-11-20T15:00:00Z'))
  })
})
