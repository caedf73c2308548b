import { describe, expect, test } from 'vitest'
import { gramsOf, gramsOfWord, searchedText, searchedWords } from './service.ts'

describe('the search text of a recording', () => {
  test('has numbers as digits, and names without accents', () => {
    expect(searchedText(['+1 (418) 555-0123', '101', 'Zoé Tremblay'])).toBe('14185550123|101|zoe tremblay')
    expect(searchedText(['Zoé 418-555-0123', '', '7'])).toBe('zoe 418-555-0123|4185550123|7')
  })

  test('normalizes the searched words in the same way', () => {
    expect(searchedWords('  Zoé 555-0123 | (418) ')).toEqual(['zoe', '5550123', '418'])
    expect(searchedWords(' -- ')).toEqual(['--'])
    expect(searchedWords('')).toEqual([])
    expect(searchedWords("L’Écuyer l'écuyer jean‑noël")).toEqual(['l', 'ecuyer', 'l', 'ecuyer', 'jean', 'noel'])
  })

  test('contains each substring of a searched word', () => {
    const known = new Set(gramsOf(searchedText(['4185550123', '101', 'Zoé Tremblay'])))
    for (const word of searchedWords('5550123 zo remb 1 18')) {
      expect(gramsOfWord(word).every((gram) => known.has(gram))).toBe(true)
    }
    expect(gramsOfWord('zoe')).toEqual(['zoe'])
    expect(gramsOfWord('aaaaa')).toEqual(['aaa'])
  })
})
