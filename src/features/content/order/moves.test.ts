import { describe, expect, test } from 'vitest'
import { moveTo, placeAt, placeOfKey } from './moves.ts'

describe('an order', () => {
  test('moves one entry up, down, to both ends and no further', () => {
    const names = ['Ana', 'Bo', 'Cy', 'Di']
    expect(moveTo(names, 2, 1)).toEqual(['Ana', 'Cy', 'Bo', 'Di'])
    expect(moveTo(names, 0, 3)).toEqual(['Bo', 'Cy', 'Di', 'Ana'])
    expect(moveTo(names, 3, -5)).toEqual(['Di', 'Ana', 'Bo', 'Cy'])
    expect(moveTo(names, 1, 9)).toEqual(['Ana', 'Cy', 'Di', 'Bo'])
    expect(moveTo(names, 7, 0)).toEqual(names)
  })

  test('follows the arrows, Home and End, and leaves other keys', () => {
    expect(['ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab', 'a'].map((key) => placeOfKey(key, 1, 4))).toEqual([
      0,
      2,
      0,
      3,
      null,
      null,
    ])
    expect([placeOfKey('ArrowUp', 0, 4), placeOfKey('ArrowDown', 3, 4)]).toEqual([0, 3])
  })

  test('takes the place that the pointer is at', () => {
    expect([0, 25, 45, 99].map((y) => placeAt(y, [20, 40, 60]))).toEqual([0, 1, 2, 3])
  })
})
