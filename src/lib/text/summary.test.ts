import { expect, test } from 'vitest'
import { summarize } from './summary.ts'

const first = 'Vous répondez aux appels de nos clients et réglez ce qui peut l’être à distance.'

test('a short text is whole, on one line', () => {
  expect(summarize(` ${first}\n\nBienvenue. `)).toBe(`${first} Bienvenue.`)
})

test('a long text ends with a sentence', () => {
  expect(
    summarize(`${first} Vous travaillez avec deux collègues, le plus souvent à Québec, parfois chez le client. Et plus.`),
  ).toBe(first)
})

test('a long sentence ends with a word', () => {
  const shown = summarize('Vous répondez aux appels '.repeat(20))
  expect(shown).toMatch(/^.{100,160}$/)
  expect(shown).toMatch(/ (?:Vous|répondez|aux|appels)…$/)
})

test('an abbreviation at the start is not the whole', () => {
  expect(summarize(`M. Roy. ${'mot '.repeat(60)}`).length).toBeGreaterThan(100)
})
