import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatDateTime, formatTime } from './date-time.ts'

afterEach(() => vi.restoreAllMocks())

const at = '2026-11-22T07:03:04.000Z'
const office = { timeZone: 'America/Toronto' }

describe('a time', () => {
  test('is written in the language of the page, without a zero before the hour', () => {
    expect(formatDateTime(at, 'fr', office)).toBe('22 nov. 2026, 2\u00a0h\u00a003')
    expect(formatDateTime(at, 'en', office)).toMatch(/^Nov 22, 2026, 2:03\sAM$/)
  })

  test('has no zero before the hour in French in Firefox either, which writes one', () => {
    vi.spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, 'format', 'get').mockReturnValue(
      () => '22 novembre 2026 à 02 h 03',
    )
    expect(formatDateTime(at, 'fr', office)).toBe('22 novembre 2026 à 2\u00a0h\u00a003')
    vi.spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, 'format', 'get').mockReturnValue(() => '10 h 03')
    expect(formatTime(at, 'fr')).toBe('10\u00a0h\u00a003')
  })

  test('has a long form with the full month', () => {
    expect(formatDateTime(at, 'fr', { ...office, month: 'long' })).toBe('22 novembre 2026 à 2\u00a0h\u00a003')
    expect(formatDateTime(at, 'en', { ...office, month: 'long' })).toMatch(/^November 22, 2026 at 2:03\sAM$/)
  })

  test('is in the reader’s time zone by default', () => {
    const hour = new Date(at).getHours()
    expect(formatTime(at, 'fr')).toBe(`${hour}\u00a0h\u00a003`)
    expect(formatDateTime(at, 'fr')).toContain(formatTime(at, 'fr'))
  })
})
