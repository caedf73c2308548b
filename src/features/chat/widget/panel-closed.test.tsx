import { expect, test } from 'vitest'
import { openingTime } from './panel-closed.tsx'

const monday = '2026-11-23T13:00:00.000Z'

test('the next opening has its hour, and its zone where it is not that of the reader', () => {
  const time = (zone: string) => openingTime('en', monday, 'America/Toronto', zone)
  expect(time(' (Eastern Time)')).toMatch(/8:00\sAM \(Eastern Time\)$/)
  expect(time('')).toMatch(/8:00\sAM$/)
})

test('in French a full hour has no minutes, as on the other pages', () => {
  const time = (iso: string) => openingTime('fr', iso, 'America/Toronto', '').replaceAll('\u00a0', ' ')
  expect(time(monday)).toBe('lundi 23 novembre à 8 h')
  expect(time('2026-11-23T13:30:00.000Z')).toBe('lundi 23 novembre à 8 h 30')
})
