import { expect, test } from 'vitest'
import { foreignZone } from './foreign-zone.ts'
import { utcOffset, zoneName } from './zone-name.ts'

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
