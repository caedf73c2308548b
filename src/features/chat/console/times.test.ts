import { expect, test, vi } from 'vitest'
import { formatDay, formatMoment, formatTimer, formatWait, readServerTime, serverNow } from './times.ts'

test.each([
  [38, '38\u00a0s', '38\u00a0s'],
  [59 * 60 + 59, '59\u00a0min', '59\u00a0min'],
  [60 * 60, '1\u00a0h\u00a000', '1\u00a0h\u00a00\u00a0min'],
  [2_880 * 60, '2\u00a0jours', '2\u00a0days'],
  [125 * 60, '2\u00a0h\u00a005', '2\u00a0h\u00a05\u00a0min'],
])('a wait of %i seconds is said in hours from the first one', (seconds, french, english) => {
  expect([formatWait(seconds, 'fr'), formatWait(seconds, 'en')]).toEqual([french, english])
})

test.each([
  [0, '0:00', '0:00'],
  [48_900, '0:48', '0:48'],
  [3_599_000, '59:59', '59:59'],
  [3_600_000, '1\u00a0h\u00a000', '1\u00a0h\u00a00\u00a0min'],
  [172_800_000, '2\u00a0jours', '2\u00a0days'],
])('a running wait of %i ms', (milliseconds, french, english) => {
  expect([formatTimer(milliseconds, 'fr'), formatTimer(milliseconds, 'en')]).toEqual([french, english])
})

test('a day names the zone of its times', () => {
  expect(formatDay('fr', '2026-11-20T14:02:00.000Z')).toMatch(/^vendredi 20 novembre 2026 \(.+\)$/)
  expect(formatDay('en', '2026-11-20T14:02:00.000Z')).toMatch(/^Friday, November 20, 2026 \(.+\)$/)
})

test.each([-7_200_000, 0, 3_600_000])('waits are counted by the server’s clock, %i ms from that of the device', async (ahead) => {
  const device = Date.parse('2026-11-20T15:00:00.000Z')
  vi.useFakeTimers({ now: device })
  const date = new Date(device + ahead).toUTCString()
  vi.stubGlobal('fetch', () => Promise.resolve({ headers: new Headers({ date }) }))
  await readServerTime()
  expect(Math.abs(serverNow() - device - ahead)).toBeLessThanOrEqual(500)
  vi.stubGlobal('fetch', () => Promise.resolve({ headers: new Headers({ date: new Date(device).toUTCString() }) }))
  await readServerTime()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a moment of another day has its date', () => {
  const today = new Date(serverNow())
  const before = new Date(today.getTime() - 3 * 86_400_000).toISOString()
  expect(formatMoment('fr', today.toISOString())).toMatch(/^\d\d:\d\d$/)
  expect(formatMoment('fr', before)).toMatch(/^\d+ .+, \d\d:\d\d$/)
})
