import { describe, expect, test } from 'vitest'
import { diffTexts } from '../versions/web/differences.ts'
import { sideOf, comparedTexts } from './conflicts.ts'

describe('a conflict', () => {
  test('takes a field of whoever changed it, and asks where both did', () => {
    expect(sideOf('Un', 'Un', 'Deux')).toBe('theirs')
    expect(sideOf('Un', 'Deux', 'Un')).toBe('mine')
    expect(sideOf('Un', 'Deux', 'Trois')).toBeNull()
    expect(sideOf([{ nom: 'a' }], [{ nom: 'a' }], [{ nom: 'b' }])).toBe('theirs')
  })

  test('marks the words of texts, rich ones too, and no codes, pictures or formatting', () => {
    const found = comparedTexts('<p>Ouvert le lundi.</p>', '<p>Ouvert le <strong>mardi</strong>.</p>')
    expect(found).toEqual({ mine: 'Ouvert le lundi.', theirs: 'Ouvert le mardi.' })
    expect(diffTexts(found?.theirs ?? '', found?.mine ?? '').filter(({ added, removed }) => added || removed)).toMatchObject([
      { value: 'mardi', removed: true },
      { value: 'lundi', added: true },
    ])
    expect(comparedTexts('OFFLINE', 'ONLINE')).toBeNull()
    expect(comparedTexts('<p>Un mot</p>', '<p>Un <em>mot</em></p>')).toBeNull()
    expect(comparedTexts('', 'Un mot')).toBeNull()
    expect(comparedTexts(['a b'], ['a c'])).toBeNull()
  })
})
