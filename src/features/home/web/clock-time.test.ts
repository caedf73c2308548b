import { describe, expect, test } from 'vitest'
import { clockTime } from './clock-time.ts'

describe('a time of day as one says it', () => {
  test.each([
    ['17:00', '17\u00a0h', '5\u00a0p.m.'],
    ['08:30', '8\u00a0h\u00a030', '8:30\u00a0a.m.'],
    ['12:05', '12\u00a0h\u00a005', '12:05\u00a0p.m.'],
    ['00:00', '0\u00a0h', '12\u00a0a.m.'],
  ])('%s', (time, french, english) => {
    expect(clockTime('fr', time)).toBe(french)
    expect(clockTime('en', time)).toBe(english)
  })
})
