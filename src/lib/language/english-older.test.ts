import { describe, expect, test } from 'vitest'
import { updateEnglishOlder, missingEnglish } from './english-older.ts'

const pairs = [['titre', 'titre_en']] as const

describe('the age of the English', () => {
  const before = { titre: 'Un', titre_en: 'One' }
  const since = '2026-01-01T00:00:00.000Z'

  test('is outdated once the French changed alone', () => {
    expect(updateEnglishOlder(pairs, {}, before, { titre: 'Deux', titre_en: 'One' })).toEqual({ titre: expect.any(String) })
    expect(updateEnglishOlder(pairs, {}, before, { titre: 'Deux', titre_en: 'Two' })).toEqual({})
    expect(updateEnglishOlder(pairs, {}, before, before)).toEqual({})
  })

  test('stays outdated since the first change, until it is changed or reviewed', () => {
    const older = { titre: since }
    expect(updateEnglishOlder(pairs, older, before, before)).toEqual(older)
    expect(updateEnglishOlder(pairs, older, before, { titre: 'Trois', titre_en: 'One' })).toEqual(older)
    expect(updateEnglishOlder(pairs, older, before, { titre: 'Un', titre_en: 'First' })).toEqual({})
    expect(updateEnglishOlder(pairs, older, before, before, ['titre'])).toEqual({})
  })

  test('is missing, not outdated, when empty', () => {
    expect(updateEnglishOlder(pairs, { titre: since }, before, { titre: 'Deux', titre_en: ' ' })).toEqual({})
    expect(missingEnglish(pairs, { titre: 'Un', titre_en: '' })).toEqual(['titre'])
    expect(missingEnglish(pairs, { titre: '', titre_en: '' })).toEqual([])
  })
})
