import { describe, expect, test } from 'vitest'
import { translator } from '#src/lib/language/texts.ts'
import { alertTexts } from '../texts.ts'
import { describeCountdown, describeWhen } from './update-time.ts'

const [fr, en] = [translator(alertTexts, 'fr'), translator(alertTexts, 'en')]
const at = '2026-12-02T03:00:00.000Z'

describe('the moment of an update', () => {
  test('is described in the company’s time zone, with its day unless it is today', () => {
    expect(describeWhen(at, 'fr', fr, Date.parse('2026-12-01T12:00:00Z'))).toBe('aujourd’hui à 22\u00a0h')
    expect(describeWhen(at, 'en', en, Date.parse('2026-11-30T12:00:00Z'))).toBe('on December 1, 2026 at 10\u00a0PM')
    expect(describeWhen(at, 'fr', fr, Date.parse('2026-12-02T12:00:00Z'))).toBe('le 1er décembre 2026 à 22\u00a0h')
  })

  test.each([
    [0, '0 min 00 s'],
    [1, '0 min 01 s'],
    [59_001, '1 min 00 s'],
    [3_599_000, '59 min 59 s'],
    [3_600_000, '1 h 00 min 00 s'],
    [86_399_000, '23 h 59 min 59 s'],
    [86_400_000, '1 d 0 h'],
    [10 * 86_400_000 + 3 * 3_600_000, '10 d 3 h'],
    [-5_000, '0 min 00 s'],
  ])('is %i ms away: %s', (ms, expected) => {
    expect(describeCountdown(ms, en).replaceAll('\u00a0', ' ')).toBe(expected)
  })
})
