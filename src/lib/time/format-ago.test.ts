import { expect, test } from 'vitest'
import { formatAgo } from './format-ago.ts'

const now = new Date('2026-12-01T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test.each([
  [5, 'à l’instant', 'just now'],
  [120, 'il y a 2 minutes', '2 minutes ago'],
  [3_700, 'il y a 1 heure', '1 hour ago'],
  [90_000, 'hier', 'yesterday'],
  [2_592_000 * 2, 'il y a 2 mois', '2 months ago'],
])('%d seconds ago', (seconds, french, english) => {
  expect(formatAgo(before(seconds), now, 'fr')).toBe(french)
  expect(formatAgo(before(seconds), now, 'en')).toBe(english)
})
