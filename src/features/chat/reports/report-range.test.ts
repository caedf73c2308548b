import { expect, test } from 'vitest'
import { lastDays, readRange } from './admin-chat-reports-page.tsx'

// Still the 20th where the company is.
const now = new Date('2026-11-21T03:00:00Z')
const read = (query: string) => readRange(new URLSearchParams(query), now)

test('the usual range is the last thirty days where the company is', () => {
  expect(read('')).toEqual({ from: '2026-10-22', to: '2026-11-20' })
  expect(lastDays(7, now)).toEqual({ from: '2026-11-14', to: '2026-11-20' })
})

test('the address names another, of five years at most', () => {
  expect(read('from=2026-01-01&to=2026-01-01')).toEqual({ from: '2026-01-01', to: '2026-01-01' })
  expect(read('from=2021-11-21&to=2026-11-20')).toEqual({ from: '2021-11-21', to: '2026-11-20' })
})

test.each(['from=2026-02-02&to=2026-02-01', 'from=2021-01-01&to=2026-06-01', 'from=hier', 'from=2026-13-01&to=2026-13-02'])(
  'one that cannot be is none: %s',
  (query) => {
    expect(read(query)).toBeNull()
  },
)
