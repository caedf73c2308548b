import { describe, expect, test } from 'vitest'
import type { Language } from './language.ts'
import { parseLanguage } from './language.ts'
import { defineTexts, translator, setTypography } from './texts.ts'

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

  test('amounts have their thousands apart', () => {
    expect(translator(texts, 'fr')('waiting', { count: 1_300_000 })).toBe('1\u00a0300\u00a0000 personnes en attente')
    expect(translator(texts, 'en')('waiting', { count: 1_300 })).toBe('1,300 people waiting')
    expect(translator(texts, 'en')('hello', { name: 2_026 })).toBe('Hello 2026')
  })

  test('a missing key is returned as is', () => {
    expect(translator(texts, 'fr')('nowhere' as 'hello')).toBe('nowhere')
  })

  test('a missing language throws', () => {
    expect(() => translator(texts, 'de' as Language)).toThrow('No translation for language: de')
    expect(() => parseLanguage('de')).toThrow('Unknown language')
  })
})

describe('typography', () => {
  test('French punctuation and units have no-break spaces', () => {
    expect(setTypography('« Oui » : 30 jours, 8 h 30, 1 300 clients, 8 Mo, 99 %, 20 $', 'fr')).toBe(
      '«\u00a0Oui\u00a0»\u00a0: 30\u00a0jours, 8\u00a0h\u00a030, 1\u00a0300 clients, 8\u00a0Mo, 99\u00a0%, 20\u00a0$',
    )
    expect(setTypography('{hours} h {minutes} min ; {count} mois', 'fr')).toBe(
      '{hours}\u00a0h\u00a0{minutes}\u00a0min; {count}\u00a0mois',
    )
  })

  test('French closing punctuation has no space before it', () => {
    expect(setTypography('Prêt ? Oui ! Non\u00a0; peut-être', 'fr')).toBe('Prêt? Oui! Non; peut-être')
    expect(setTypography('Prêt? Oui!', 'fr')).toBe('Prêt? Oui!')
  })

  test('apostrophes are curly in both languages, and addresses stay as they are', () => {
    expect(setTypography("l'adresse https://example.com/a:b?c", 'fr')).toBe('l’adresse https://example.com/a:b?c')
    expect(setTypography("It's 24/7 : yes", 'en')).toBe('It’s 24/7 : yes')
  })

  test('placeholders stay unchanged', () => {
    expect(setTypography(':::cards\n### Titre\n:::\n- un', 'fr')).toBe(':::cards\n### Titre\n:::\n- un')
  })
})
