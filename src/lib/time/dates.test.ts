import { expect, test } from 'vitest'
import { dayIn, endOfDay, formatDay } from './dates.ts'
import { locales } from '../language/language.ts'

test('a day is formatted in both languages', () => {
  expect(formatDay('2026-12-01', 'fr')).toBe('1er décembre 2026')
  expect(formatDay('2026-12-21', 'fr')).toBe('21 décembre 2026')
  expect(formatDay('2026-12-01', 'en')).toBe('December 1, 2026')
})

test('formats every day of the year like Intl', () => {
  for (const language of ['fr', 'en'] as const) {
    const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' })
    for (let month = 1; month <= 12; month += 1) {
      const day = `2027-${String(month).padStart(2, '0')}-09`
      expect(formatDay(day, language)).toBe(format.format(new Date(day)))
    }
  }
})

test('the day is that of the time zone, on both sides of midnight', () => {
  expect(dayIn('America/Toronto', new Date('2026-12-02T04:59:59Z'))).toBe('2026-12-01')
  expect(dayIn('America/Toronto', new Date('2026-12-02T05:00:00Z'))).toBe('2026-12-02')
})

test('the end of a day has the offset of its zone, in winter and in summer', () => {
  expect(endOfDay('America/Toronto', '2026-12-01')).toBe('2026-12-01T23:59:59-05:00')
  expect(endOfDay('America/Toronto', '2026-07-01')).toBe('2026-07-01T23:59:59-04:00')
  expect(endOfDay('America/Toronto', '2026-11-01')).toBe('2026-11-01T23:59:59-05:00')
  expect(endOfDay('UTC', '2026-07-01')).toBe('2026-07-01T23:59:59+00:00')
})
