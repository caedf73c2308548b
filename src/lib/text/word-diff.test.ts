import { expect, test } from 'vitest'
import { timeGrowth } from '../testing/time-growth.ts'
import { diffWords } from './word-diff.ts'

const marked = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('')

test.each([
  ['Zoé répond', 'Zoé répond', 'Zoé répond'],
  ['Zoé répond le lundi', 'Zoé répond le mardi', 'Zoé répond le [-lundi-]{+mardi+}'],
  ['', 'Bonjour', '{+Bonjour+}'],
  ['Bonjour', '', '[-Bonjour-]'],
  ['un deux trois', 'un trois', 'un [-deux -]trois'],
  ['', '', ''],
])('%s becomes %s', (before, after, shown) => {
  expect(marked(before, after)).toBe(shown)
})

test('two long texts are told whole, without a search for what they share', () => {
  const long = (word: string) => `${`${word} `.repeat(1_000)}partagé${` ${word}`.repeat(1_000)}`
  const [before, after] = [long('ancien'), long('nouveau')]
  expect(diffWords(before, after)).toEqual([
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ])
})

test('the time they take never grows with the square of their length', () => {
  expect(timeGrowth((size) => diffWords('ancien '.repeat(size), 'nouveau '.repeat(size)), 300)).toBeLessThan(50)
})
