import { expect, test } from 'vitest'
import { formatWait } from './times.ts'

test.each([
  [38, '38\u00a0s', '38\u00a0s'],
  [59 * 60 + 59, '59\u00a0min', '59\u00a0min'],
  [60 * 60, '1\u00a0h\u00a000', '1\u00a0h\u00a00\u00a0min'],
  [125 * 60, '2\u00a0h\u00a005', '2\u00a0h\u00a05\u00a0min'],
])('a wait of %i seconds is said in hours from the first one', (seconds, french, english) => {
  expect([formatWait(seconds, 'fr'), formatWait(seconds, 'en')]).toEqual([french, english])
})
