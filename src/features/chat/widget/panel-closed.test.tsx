import { expect, test } from 'vitest'
import { openingTime } from './panel-closed.tsx'

const monday = '2026-11-23T13:00:00.000Z'

test('the next opening keeps the point of its hour before a named zone, and leaves the last one to the sentence', () => {
  const time = (zone: string) => openingTime('en', monday, 'America/Toronto', zone)
  expect(time(' (Eastern Time)')).toMatch(/8:00\sa\.m\. \(Eastern Time\)$/)
  expect(time('')).toMatch(/8:00\sa\.m$/)
})
