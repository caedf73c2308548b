import { describe, expect, test } from 'vitest'
import { nameOf } from '../values.ts'
import { diffTexts, findDifferences } from './differences.ts'

describe('differences', () => {
  test('lists only the changed fields, as text', () => {
    const before = { id_emploi: 1, titre: 'Un', description: '<p>a</p>', version: 1, english_older: {} }
    const after = { ...before, titre: 'Deux', version: 2, english_older: { titre: 'x' } }
    expect(findDifferences(before, after)).toEqual([{ field: 'titre', before: 'Un', after: 'Deux' }])
  })

  test('shows rich text without tags, and plain text unchanged', () => {
    expect(
      findDifferences({ description: '<p>a</p>' }, { description: '<p>a</p><p>b</p>' }, { richText: ['description'] }),
    ).toEqual([{ field: 'description', before: 'a', after: 'a\nb' }])
    expect(findDifferences({ note: '' }, { note: '<p>' })).toEqual([{ field: 'note', before: '', after: '<p>' }])
  })

  test('shows lists and rights one per line', () => {
    const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fibre', statut: 'OK' }])
    expect(findDifferences(null, { details })).toEqual([{ field: 'details', before: '', after: 'Fibre · Fibre · OK' }])
    expect(findDifferences({ rights: { jobs: 'none' } }, { rights: { jobs: 'read_only' } })).toEqual([
      { field: 'rights', before: 'jobs : none', after: 'jobs : read_only' },
    ])
  })

  test('a creation lists all fields that are not empty', () => {
    expect(findDifferences(null, { id_note: 3, note_date: 'lundi', note: '', created_at: 'x' })).toEqual([
      { field: 'note_date', before: '', after: 'lundi' },
    ])
  })

  test('names an entry by its remaining state', () => {
    expect(nameOf(null, { nom: 'Zoé' })).toBe('Zoé')
    expect(nameOf({ titre: ' ' }, { titre: 'Vendeur' })).toBe('Vendeur')
    expect(nameOf({ shortcut: 'bonjour', reply: 'Bonjour !' })).toBe('bonjour')
    expect(nameOf(null, { message: 'x' })).toBe(null)
  })
})

describe('the difference between two texts', () => {
  const marked = (before: string, after: string) =>
    diffTexts(before, after)
      .map(({ value, removed, added }) => (removed ? `[-${value}-]` : added ? `{+${value}+}` : value))
      .join('')

  test.each([
    ['Zoé répond', 'Zoé répond', 'Zoé répond'],
    ['Zoé répond le lundi', 'Zoé répond le mardi', 'Zoé répond le [-lundi-]{+mardi+}'],
    ['', 'Bonjour', '{+Bonjour+}'],
    ['Bonjour', '', '[-Bonjour-]'],
    ['un deux trois', 'un trois', 'un [-deux -]trois'],
    ['Appelez.', 'Appelez !', 'Appelez[-.-]{+ !+}'],
    ['', '', ''],
  ])('%s becomes %s', (before, after, shown) => {
    expect(marked(before, after)).toBe(shown)
  })

  test('shows two long texts with little in common in full', () => {
    const long = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word}${index}`).join(' partagé ')
    const [before, after] = [long('ancien'), long('nouveau')]
    expect(diffTexts(before, after).map(({ value }) => value)).toEqual([before, after])
  })
})
