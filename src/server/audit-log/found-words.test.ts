import { expect, test } from 'vitest'
import { addressesIn, searchedWords, wordsIn } from './found-words.ts'

test('addresses are found in any part of the values, in lower case and without the end of a sentence', () => {
  const values = {
    before: null,
    after: { note: 'Écrire à Léa.Roy@Exemple.test.', list: ['<a@example.com>', 'a@example.com', 3] },
  }
  expect(addressesIn(values)).toEqual(['léa.roy@exemple.test', 'a@example.com'])
  expect(addressesIn({ note: `${'a'.repeat(400)}@example.com @ @x` })).toEqual([])
})

test('words have neither case nor accents nor markup, and each stands once', () => {
  expect(wordsIn({ note: '<p class="x">Malade, MALADE depuis l’été</p>' })).toEqual(['malade', 'depuis', 'l', 'ete'])
  expect(wordsIn({ note: 'a'.repeat(61) })).toEqual([])
})

test.each(['+1 418 555-0177', '(418) 555.0177', '4185550177'])('a phone number written %s is its digits', (written) => {
  expect(wordsIn([`Rappeler au ${written} demain`])).toContain('4185550177')
  expect(searchedWords(written)).toEqual(['4185550177'])
})

test('a search is its words, an address included, and none where it has only signs', () => {
  expect(searchedWords('Zoé  Lavoie')).toEqual(['zoe', 'lavoie'])
  expect(searchedWords('zoe@example.com')).toEqual(['zoe', 'example', 'com'])
  expect(searchedWords('%_%')).toEqual([])
})

// Were it quadratic, it would not end within the time of a test.
test('values of megabytes end', () => {
  const length = 3_000_000
  expect(wordsIn({ a: '1 '.repeat(length), b: '<'.repeat(length), c: `1${' '.repeat(length)}` })).toContain('1')
})
