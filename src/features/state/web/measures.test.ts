import { expect, test } from 'vitest'
import { formatAge, formatBytes } from './measures.ts'

test('sizes are in the unit in which they are read', () => {
  expect(formatBytes(0, 'fr')).toMatch(/^0\s/)
  expect(formatBytes(1.5 * 2 ** 30, 'fr')).toMatch(/^1,5\sGo$/)
  expect(formatBytes(312 * 2 ** 20, 'en')).toMatch(/^312\sMB$/)
  expect(formatBytes(5 * 2 ** 60, 'en')).toMatch(/TB$/)
})

test('ages are in the largest unit that fits', () => {
  expect(formatAge(-5 * 60_000, 'fr')).toMatch(/^il y a 5\sminutes$/)
  expect(formatAge(-7 * 3_600_000, 'en')).toBe('7 hours ago')
  expect(formatAge(-50 * 3_600_000, 'en')).toBe('2 days ago')
})
