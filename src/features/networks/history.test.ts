import { expect, test } from 'vitest'
import { instantOf } from '#src/lib/time/zoned-time.ts'
import { daySpan } from '#src/lib/time/zoned-time.ts'
import { availabilityOf, foldDays } from './server/history.ts'

const zone = 'America/Toronto'
const at = (day: string, time: string) => instantOf(zone, day, time)
const spans = (...days: string[]) =>
  days.map((date) => {
    const { starts, ends } = daySpan(zone, date)
    return { date, starts: starts.getTime(), ends: ends.getTime() }
  })
const later = Date.parse('2030-01-01')
const hour = 3_600

test('the worst of a day wins, and its outage is counted to the second', () => {
  const changes = [
    { to: 'WARNING' as const, at: at('2026-11-20', '08:00') },
    { to: 'ERROR' as const, at: at('2026-11-20', '09:00') },
    { to: 'OK' as const, at: at('2026-11-20', '09:30') },
  ]
  const [before, day, after] = foldDays(changes, 'OK', [], spans('2026-11-19', '2026-11-20', '2026-11-21'), later)
  expect(before).toMatchObject({ worst: 'OK', down: 0, monitored: 24 * hour })
  expect(day).toMatchObject({ worst: 'ERROR', down: hour / 2, degraded: hour, monitored: 24 * hour })
  expect(after).toMatchObject({ worst: 'OK', down: 0 })
})

test('an outage over midnight belongs to both days of the company, not of UTC', () => {
  const changes = [
    { to: 'ERROR' as const, at: at('2026-11-20', '23:00') },
    { to: 'OK' as const, at: at('2026-11-21', '02:00') },
  ]
  const days = foldDays(changes, 'OK', [], spans('2026-11-20', '2026-11-21'), later)
  expect(days.map(({ down }) => down)).toEqual([hour, 2 * hour])
})

test('the days of a daylight saving change have 23 and 25 hours', () => {
  const days = foldDays([], 'OK', [], spans('2026-03-08', '2026-11-01'), later)
  expect(days.map(({ monitored }) => monitored / hour)).toEqual([23, 25])
})

test('announced maintenance is no downtime and not monitored, also where windows overlap', () => {
  const window = (from: string, until: string) => ({
    starts: at('2026-11-20', from).getTime(),
    ends: at('2026-11-20', until).getTime(),
  })
  const changes = [
    { to: 'ERROR' as const, at: at('2026-11-20', '10:00') },
    { to: 'OK' as const, at: at('2026-11-20', '13:00') },
  ]
  const windows = [window('09:00', '11:00'), window('10:30', '12:00')]
  const [day] = foldDays(changes, 'OK', windows, spans('2026-11-20'), later)
  expect(day).toMatchObject({ worst: 'ERROR', down: hour, maintenance: 3 * hour, monitored: 21 * hour })
  const [planned] = foldDays([], 'OK', windows, spans('2026-11-20'), later)
  expect(planned).toMatchObject({ worst: 'MAINTENANCE', down: 0 })
})

test('what is not monitored yet, or not any more, is no data; nothing after now counts', () => {
  const changes = [
    { to: 'OK' as const, at: at('2026-11-20', '12:00') },
    { to: null, at: at('2026-11-21', '12:00') },
  ]
  const days = foldDays(changes, null, [], spans('2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'), later)
  expect(days.map(({ worst, monitored }) => [worst, monitored / hour])).toEqual([
    [null, 0],
    ['OK', 12],
    ['OK', 12],
    [null, 0],
  ])
  const now = at('2026-11-20', '18:00').getTime()
  expect(foldDays(changes, null, [], spans('2026-11-20', '2026-11-21'), now).map(({ monitored }) => monitored / hour)).toEqual([
    6, 0,
  ])
})

test('availability takes outages whole and degraded time by half; without data there is none', () => {
  const day = { date: '', worst: null, maintenance: 0 }
  expect(availabilityOf([{ ...day, down: 60, degraded: 120, monitored: 1_200 }])).toBe(0.9)
  expect(availabilityOf([{ ...day, down: 0, degraded: 0, monitored: 0 }])).toBeNull()
})
