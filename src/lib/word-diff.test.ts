import { expect, test } from 'vitest'
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

test('two long texts are told whole, at once', () => {
  const start = performance.now()
  const [removed, added] = diffWords('a '.repeat(10_000), 'b '.repeat(10_000))
  expect([removed?.kind, added?.kind]).toEqual(['removed', 'added'])
  expect(performance.now() - start).toBeLessThan(200)
})
