import { describe, expect, test } from 'vitest'
import { setTypography } from './typography.ts'

describe('typography', () => {
  test('French signs and units keep their space on the same line', () => {
    expect(setTypography('Prêt ? « Oui » : 30 jours, 8 h 30, 1 300 clients, 99 %', 'fr')).toBe(
      'Prêt\u00a0? «\u00a0Oui\u00a0»\u00a0: 30\u00a0jours, 8\u00a0h 30, 1\u00a0300 clients, 99\u00a0%',
    )
  })

  test('apostrophes are curly in both languages, and addresses stay as they are', () => {
    expect(setTypography("l'adresse https://example.com/a:b?c", 'fr')).toBe('l’adresse https://example.com/a:b?c')
    expect(setTypography("It's 24/7 : yes", 'en')).toBe('It’s 24/7 : yes')
  })

  test('the markers of a text are left alone', () => {
    expect(setTypography(':::cards\n### Titre\n:::\n- un', 'fr')).toBe(':::cards\n### Titre\n:::\n- un')
  })
})
