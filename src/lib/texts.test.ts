import { describe, expect, test } from 'vitest'
import type { Language } from './language.ts'
import { parseLanguage } from './language.ts'
import { defineTexts, translator } from './texts.ts'

const texts = defineTexts({
  fr: { hello: 'Bonjour {name}', waiting: '{count} {count|personne|personnes} en attente' },
  en: { hello: 'Hello {name}', waiting: '{count} {count|person|people} waiting' },
})

describe('texts', () => {
  test('are read in the asked language with their values', () => {
    expect(translator(texts, 'fr')('hello', { name: 'Zoé' })).toBe('Bonjour Zoé')
    expect(translator(texts, 'en')('hello', { name: 'Zoé' })).toBe('Hello Zoé')
  })

  test('follow the plural rules of each language: zero is singular in French, plural in English', () => {
    expect(translator(texts, 'fr')('waiting', { count: 0 })).toBe('0 personne en attente')
    expect(translator(texts, 'en')('waiting', { count: 0 })).toBe('0 people waiting')
    expect(translator(texts, 'fr')('waiting', { count: 2 })).toBe('2 personnes en attente')
  })

  test('a value that ends with a full stop ends the sentence too', () => {
    const hours = defineTexts({ fr: { open: 'Ouvert {hours}.' }, en: { open: 'Open {hours}.' } })
    expect(translator(hours, 'fr')('open', { hours: 'de 8 h à 17 h' })).toBe('Ouvert de 8 h à 17 h.')
    expect(translator(hours, 'en')('open', { hours: '8 a.m. to 5 p.m.' })).toBe('Open 8 a.m. to 5 p.m.')
  })

  test('a missing key shows itself', () => {
    expect(translator(texts, 'fr')('nowhere' as 'hello')).toBe('nowhere')
  })

  test('a missing language throws', () => {
    expect(() => translator(texts, 'de' as Language)).toThrow('No translation for language: de')
    expect(() => parseLanguage('de')).toThrow('Unknown language')
  })
})
