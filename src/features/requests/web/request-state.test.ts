import { expect, test } from 'vitest'
import type { Availability } from '#src/lib/availability.ts'
import { readingTime } from './request-state.tsx'

const now = { next_opening: null, closes_at: null, time_zone: 'America/Toronto', utc_offset: -new Date().getTimezoneOffset() }

test('a request sent at night says when it is read, and one sent by day until when', () => {
  const at = (change: Partial<Availability>, language: 'fr' | 'en') =>
    readingTime({ ...now, ...change } as Availability, language)
  const closed = { next_opening: '2026-11-30T13:00:00.000Z' }
  expect(at(closed, 'fr')).toBe('Dès lundi à 8\u00a0h')
  expect(at(closed, 'en')).toBe('From Monday at 8\u00a0AM')
  const open = { closes_at: '2026-11-30T22:30:00.000Z' }
  expect(at(open, 'fr')).toBe('Ouvert jusqu’à 17\u00a0h\u00a030')
  expect(at(open, 'en')).toBe('Open until 5:30\u00a0PM')
  expect(at({}, 'fr')).toBeNull()
})
