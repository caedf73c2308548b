import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asvsPage, isReadOnly, readAsvs } from '../../scripts/asvs.ts'

const rows = readAsvs()

/** The requirements of ASVS 5.0.0: a section, its numbers of level 1, its numbers of level 2. */
const sections: [string, number[], number[]][] = [
  ['1.1', [], [1, 2]],
  ['1.2', [1, 2, 3, 4, 5], [6, 7, 8, 9]],
  ['1.3', [1, 2], [3, 4, 5, 6, 7, 8, 9, 10, 11]],
  ['1.4', [], [1, 2, 3]],
  ['1.5', [1], [2]],
  ['2.1', [1], [2, 3]],
  ['2.2', [1, 2], [3]],
  ['2.3', [1], [2, 3, 4]],
  ['2.4', [], [1]],
  ['3.2', [1, 2], []],
  ['3.3', [1], [2, 3, 4]],
  ['3.4', [1, 2], [3, 4, 5, 6]],
  ['3.5', [1, 2, 3], [4, 5]],
  ['3.7', [], [1, 2]],
  ['4.1', [1], [2, 3]],
  ['4.2', [], [1]],
  ['4.3', [], [1, 2]],
  ['4.4', [1], [2, 3, 4]],
  ['5.1', [], [1]],
  ['5.2', [1, 2], [3]],
  ['5.3', [1, 2], []],
  ['5.4', [], [1, 2, 3]],
  ['6.1', [1], [2, 3]],
  ['6.2', [1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12]],
  ['6.3', [1, 2], [3, 4]],
  ['6.4', [1, 2], [3, 4]],
  ['6.5', [], [1, 2, 3, 4, 5]],
  ['6.6', [], [1, 2, 3]],
  ['6.8', [], [1, 2, 3, 4]],
  ['7.1', [], [1, 2, 3]],
  ['7.2', [1, 2, 3, 4], []],
  ['7.3', [], [1, 2]],
  ['7.4', [1, 2], [3, 4, 5]],
  ['7.5', [], [1, 2]],
  ['7.6', [], [1, 2]],
  ['8.1', [1], [2]],
  ['8.2', [1, 2], [3]],
  ['8.3', [1], []],
  ['8.4', [], [1]],
  ['9.1', [1, 2, 3], []],
  ['9.2', [1], [2, 3, 4]],
  ['10.1', [], [1, 2]],
  ['10.2', [], [1, 2]],
  ['10.3', [], [1, 2, 3, 4]],
  ['10.4', [1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]],
  ['10.5', [], [1, 2, 3, 4, 5]],
  ['10.6', [], [1, 2]],
  ['10.7', [], [1, 2, 3]],
  ['11.1', [], [1, 2]],
  ['11.2', [], [1, 2, 3]],
  ['11.3', [1, 2], [3]],
  ['11.4', [1], [2, 3, 4]],
  ['11.5', [], [1]],
  ['11.6', [], [1]],
  ['12.1', [1], [2, 3]],
  ['12.2', [1, 2], []],
  ['12.3', [], [1, 2, 3, 4]],
  ['13.1', [], [1]],
  ['13.2', [], [1, 2, 3, 4, 5]],
  ['13.3', [], [1, 2]],
  ['13.4', [1], [2, 3, 4, 5]],
  ['14.1', [], [1, 2]],
  ['14.2', [1], [2, 3, 4]],
  ['14.3', [1], [2, 3]],
  ['15.1', [1], [2, 3]],
  ['15.2', [1], [2, 3]],
  ['15.3', [1], [2, 3, 4, 5, 6, 7]],
  ['16.1', [], [1]],
  ['16.2', [], [1, 2, 3, 4, 5]],
  ['16.3', [], [1, 2, 3, 4]],
  ['16.4', [], [1, 2, 3]],
  ['16.5', [], [1, 2, 3]],
  ['17.1', [], [1]],
  ['17.2', [], [1, 2, 3, 4]],
  ['17.3', [], [1, 2]],
]

const required = sections.flatMap(([section, first, second]) =>
  [...first.map((number) => [number, 1] as const), ...second.map((number) => [number, 2] as const)]
    .toSorted(([one], [other]) => one - other)
    .map(([number, level]) => `${section}.${number} of level ${level}`),
)

test('every requirement of levels 1 and 2 has its row, once', () => {
  expect(required.length).toBe(253)
  expect(rows.map(({ id, level }) => `${id} of level ${level}`)).toEqual(required)
})

test('every named test exists', () => {
  const missing = rows.flatMap(({ id, shown }) =>
    shown.flatMap((one) =>
      'test' in one && !titlesIn(one.file).some((title) => title.includes(one.test)) ? [`${id}: ${one.file}: ${one.test}`] : [],
    ),
  )
  expect(missing).toEqual([])
})

test('unmet requirements have a date', () => {
  expect(rows.filter(({ state, how }) => state === 'not met' && !how.startsWith('Since '))).toEqual([])
})

test('code review is the evidence of a tenth at most, and reviewed files exist', () => {
  expect(rows.filter(isReadOnly).length).toBeLessThanOrEqual(rows.length / 10)
  const read = rows.flatMap(({ shown }) => shown.flatMap((one) => ('reading' in one ? [one.reading] : [])))
  expect(read.filter((file) => !existsSync(file))).toEqual([])
})

test('the readable page is generated from the data', () => {
  expect(readFileSync('docs/security/asvs.md', 'utf8')).toBe(asvsPage(rows))
})

/** Titles of the tests in a file, as its source has them. */
function titlesIn(file: string) {
  if (!/\.(test|spec)\.tsx?$/.test(file) || !existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  return [
    ...text.matchAll(/\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)"),\s*(?:\{[^}]*\},\s*)?(?:async\b|\(|function|with)/g),
  ].map(([, a, b, c]) => a ?? b ?? c ?? '')
}
