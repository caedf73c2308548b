import { describe, expect, test } from 'vitest'
import { localTime, parseLocalTime, utcOffset, zoneName } from './zoned-time.ts'
import { foreignZone } from './clock.ts'

const zone = 'America/Toronto'

describe('a local time', () => {
  test.each([
    ['in winter', '2026-12-01T22:00', '2026-12-02T03:00:00.000Z'],
    ['in summer', '2026-07-01T22:00', '2026-07-02T02:00:00.000Z'],
    ['a minute before the clocks go forward', '2027-03-14T01:59', '2027-03-14T06:59:00.000Z'],
    ['the minute after', '2027-03-14T03:00', '2027-03-14T07:00:00.000Z'],
    ['that comes twice is the first of both', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['after the clocks went back', '2026-11-01T02:00', '2026-11-01T07:00:00.000Z'],
  ])('%s is one instant', (_name, local, instant) => {
    expect(parseLocalTime(zone, local)?.toISOString()).toBe(instant)
    expect(localTime(zone, new Date(instant))).toBe(local)
  })

  test.each(['2027-03-14T02:30', '2026-02-30T10:00', '2026-12-01', '2026-12-01 22:00', '2026-12-01T24:30', 'demain', ''])(
    'is rejected where it does not exist: %s',
    (local) => {
      expect(parseLocalTime(zone, local)).toBeNull()
    },
  )
})

test('a zone is named in both languages, and its offset follows the season', () => {
  expect(zoneName('America/Toronto', 'fr')).toBe('heure de l’Est')
  expect(zoneName('America/Toronto', 'en')).toBe('Eastern Time')
  expect(utcOffset('America/Toronto', new Date('2026-11-20T12:00:00Z'))).toBe(-300)
  expect(utcOffset('America/Toronto', new Date('2026-07-20T12:00:00Z'))).toBe(-240)
  expect(utcOffset('America/St_Johns', new Date('2026-11-20T12:00:00Z'))).toBe(-210)
  expect(utcOffset('Europe/London', new Date('2026-11-20T12:00:00Z'))).toBe(0)
})

test('it is shown only to readers whose clock has another offset', () => {
  const hours = { zone_name: 'heure de l’Est', zone_name_en: 'Eastern Time', utc_offset: -300 }
  const inToronto = { getTimezoneOffset: () => 300 }
  const inTokyo = { getTimezoneOffset: () => -540 }
  expect(foreignZone(hours, 'fr', inToronto)).toBe('')
  expect(foreignZone(hours, 'fr', inTokyo)).toBe(' (heure de l’Est)')
  expect(foreignZone(hours, 'en', inTokyo)).toBe(' (Eastern Time)')
})
