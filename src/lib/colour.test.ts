import { expect, test } from 'vitest'
import { contrast, isReadable, paletteOf } from './colour.ts'

test('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test.each([
  ['#1746a2', true],
  ['#0b6b4f', true],
  ['#8e1c16', true],
  ['#ffb224', false],
  ['#9dbbff', false],
])('%s can be read by day: %s; what is made of it, at night', (colour, readable) => {
  expect(isReadable(colour)).toBe(readable)
  const { night, nightSoft } = paletteOf(colour)
  for (const ground of ['#0e1526', '#18213a', nightSoft]) expect(contrast(night, ground), ground).toBeGreaterThanOrEqual(4.5)
})
