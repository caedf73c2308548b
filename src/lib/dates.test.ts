import { expect, test } from 'vitest'
import { dayIn, formatDay } from './dates.ts'

test('a day is said as people say it', () => {
  expect(formatDay('2026-12-01', 'fr')).toBe('1er décembre 2026')
  expect(formatDay('2026-12-21', 'fr')).toBe('21 décembre 2026')
  expect(formatDay('2026-12-01', 'en')).toBe('December 1, 2026')
})

test('the day is that of the time zone, on both sides of midnight', () => {
  expect(dayIn('America/Toronto', new Date('2026-12-02T04:59:59Z'))).toBe('2026-12-01')
  expect(dayIn('America/Toronto', new Date('2026-12-02T05:00:00Z'))).toBe('2026-12-02')
})
