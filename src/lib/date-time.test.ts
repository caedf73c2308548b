import { expect, test } from 'vitest'
import { formatDateTime } from './date-time.ts'

test('a moment is said in the language of the page, by the clock of the reader', () => {
  const at = '2026-11-20T19:30:00.000Z'
  expect(formatDateTime(at, 'fr')).toMatch(/^20 nov\. 2026.*19\s?h\s?30$/)
  expect(formatDateTime(at, 'en')).toMatch(/^Nov 20, 2026.*7:30\s?p\.m\.$/)
  expect(formatDateTime(at, 'fr')).toMatch(/^20 nov\./)
})
