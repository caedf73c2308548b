import { describe, expect, test } from 'vitest'
import { gramsOf, gramsOfWord, searchedText, searchedWords } from './service.ts'

describe('what a recording is found by', () => {
  test('numbers are digits alone, names lose their accents', () => {
    expect(searchedText(['+1 (418) 555-0123', '101', 'Zoé Tremblay'])).toBe('14185550123|101|zoe tremblay')
    expect(searchedText(['Zoé 418-555-0123', '', '7'])).toBe('zoe 418-555-0123|4185550123|7')
  })

  test('the words of a search are folded alike', () => {
    expect(searchedWords('  Zoé 555-0123 | (418) ')).toEqual(['zoe', '5550123', '418'])
    expect(searchedWords(' -- ')).toEqual(['--'])
    expect(searchedWords('')).toEqual([])
  })

  test('each run of a word that is asked for is among the runs of the row', () => {
    const known = new Set(gramsOf(searchedText(['4185550123', '101', 'Zoé Tremblay'])))
    for (const word of searchedWords('5550123 zo remb 1 18')) {
      expect(gramsOfWord(word).every((gram) => known.has(gram))).toBe(true)
    }
    expect(gramsOfWord('zoe')).toEqual(['zoe'])
    expect(gramsOfWord('aaaaa')).toEqual(['aaa'])
  })
})
