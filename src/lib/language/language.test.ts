import { describe, expect, test } from 'vitest'
import { defaultLanguage, languageStorageKey, parseLanguage, pickText, pickVariant } from './language.ts'

describe('the language', () => {
  test('is French by default, and stored under the documented key', () => {
    expect(defaultLanguage).toBe('fr')
    expect(languageStorageKey).toBe('application_default_language')
  })

  test('that is unknown throws', () => {
    for (const language of ['de', '', undefined, null]) expect(() => parseLanguage(language)).toThrow('Unknown language')
  })
})

describe('a text in two languages', () => {
  test('is shown in the language of the page', () => {
    expect([pickText('fr', 'Panne', 'Outage'), pickText('en', 'Panne', 'Outage')]).toEqual(['Panne', 'Outage'])
  })

  test('falls back to French, marked as such', () => {
    for (const english of ['', '  ', null, undefined]) {
      expect(pickVariant('en', 'Panne', english)).toEqual({ text: 'Panne', lang: 'fr-CA' })
    }
    expect(pickVariant('en', 'Panne', 'Outage').lang).toBeUndefined()
    expect(pickVariant('fr', 'Panne', '').lang).toBeUndefined()
  })
})
