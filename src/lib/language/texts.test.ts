import { describe, expect, test } from 'vitest'
import type { Language } from './language.ts'
import { parseLanguage } from './language.ts'
import { defineTexts, translator } from './texts.ts'

const texts = defineTexts({
  fr: { hello: 'Bonjour {name}', waiting: '{count} {count|personne|personnes} en attente' },
  en: { hello: 'Hello {name}', waiting: '{count} {count|person|people} waiting' },
})

describe('texts', () => {
  test('are translated with their values', () => {
    expect(translator(texts, 'fr')('hello', { name: 'Zoé' })).toBe('Bonjour Zoé')
    expect(translator(texts, 'en')('hello', { name: 'Zoé' })).toBe('Hello Zoé')
  })

  test('follow the plural rules of each language: zero is singular in French, plural in English', () => {
    expect(translator(texts, 'fr')('waiting', { count: 0 })).toBe('0 personne en attente')
    expect(translator(texts, 'en')('waiting', { count: 0 })).toBe('0 people waiting')
    expect(translator(texts, 'fr')('waiting', { count: 2 })).toBe('2 personnes en attente')
  })

  test('a missing key is returned as is', () => {
    expect(translator(texts, 'fr')('nowhere' as 'hello')).toBe('nowhere')
  })

  test('a missing language throws', () => {
    expect(() => translator(texts, 'de' as Language)).toThrow('No translation for language: de')
    expect(() => parseLanguage('de')).toThrow('Unknown language')
  })
})
