import { expect, test } from 'vitest'
import { periodDays } from './admin-recordings-page.tsx'

const zone = 'America/Toronto'

test.each([
  // Still Sunday in the company's time zone.
  ['2026-11-23T04:30:00Z', '2026-11-22', '2026-11-16', ['2026-10-01', '2026-10-31']],
  ['2026-11-23T05:30:00Z', '2026-11-23', '2026-11-23', ['2026-10-01', '2026-10-31']],
  ['2026-03-01T12:00:00Z', '2026-03-01', '2026-02-23', ['2026-02-01', '2026-02-28']],
  ['2026-01-01T04:59:00Z', '2025-12-31', '2025-12-29', ['2025-11-01', '2025-11-30']],
])('the periods at %s', (instant, today, monday, [first, last]) => {
  const now = new Date(instant)
  expect(periodDays('today', zone, now)).toEqual({ from: today, to: today })
  expect(periodDays('week', zone, now)).toEqual({ from: monday, to: today })
  expect(periodDays('lastMonth', zone, now)).toEqual({ from: first, to: last })
})
