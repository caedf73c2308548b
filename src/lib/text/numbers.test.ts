import { expect, test } from 'vitest'
import { formatBytes } from './numbers.ts'

test('a size is formatted in the largest fitting unit', () => {
  expect(formatBytes(0, 'fr')).toMatch(/^0\s/)
  expect(formatBytes(999, 'en')).toBe('999 bytes')
  expect(formatBytes(1, 'en')).toBe('1 byte')
  expect(formatBytes(4, 'fr')).toMatch(/^4\soctets$/)
  expect(formatBytes(1_000, 'en')).toMatch(/^1\skB$/)
  expect(formatBytes(1_500_000_000, 'fr')).toMatch(/^1,5\sGo$/)
  expect(formatBytes(312_000_000, 'en')).toMatch(/^312\sMB$/)
  expect(formatBytes(5e18, 'en')).toMatch(/TB$/)
})
