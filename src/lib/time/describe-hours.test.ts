import { describe, expect, test } from 'vitest'
import { clock, clockIn, describeHours, describeWeek } from './describe-hours.ts'
import { locales } from '../language/language.ts'

const hours = { days: [1, 2, 3, 4, 5], opens: '08:00', closes: '17:00' }

describe('hours in words', () => {
  test('name the first and the last of days that follow', () => {
    expect(describeHours(hours, 'fr')).toBe('du lundi au vendredi, de 8\u00a0h à 17\u00a0h')
    expect(describeHours(hours, 'en')).toBe('Monday to Friday, 8\u00a0AM to 5\u00a0PM')
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
        const text = describeHours({ ...hours, days: [day] }, language)
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
