import { expect, test } from 'vitest'
import { formatPhoneNumber } from './recording-table.tsx'

test.each([
  ['4185550123', '418\u00A0555-0123'],
  ['14185550123', '1\u00A0418\u00A0555-0123'],
  ['+14185550123', '1\u00A0418\u00A0555-0123'],
  ['101', '101'],
  ['442079460958', '442079460958'],
  ['', ''],
])('formats %s as %s', (number, shown) => {
  expect(formatPhoneNumber(number)).toBe(shown)
})
