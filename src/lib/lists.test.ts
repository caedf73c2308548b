import { expect, test } from 'vitest'
import { translator } from './language/texts.ts'
import { filterRows, sortRows, changeQuery, describeTotal, mostCounted, pickQuery } from './lists.ts'

const names = ['Zoé Lavallée', 'Élodie Roy', 'Marc-André Émond', 'Étienne 10', 'Étienne 9']
const same = (name: string) => name

test('searches a list by all words, ignoring case, accents and hyphens', () => {
  expect(filterRows(names, 'ZOE', same)).toEqual(['Zoé Lavallée'])
  expect(filterRows(names, 'emond marc andre', same)).toEqual(['Marc-André Émond'])
  expect(filterRows(names, '  ', same)).toEqual(names)
  expect(filterRows(names, 'personne', same)).toEqual([])
  const others = ['Ève L’Écuyer, (418) 555-0123', "Jean L'Écuyer, 4185550123", 'Anne‑Marie, +1 418.555.0199 poste 4']
  for (const filter of ["l'ecuyer", 'L’ÉCUYER', 'lʼecuyer', '418 555-0123', '4185550123', '(418) 555.0123', 'ecuyer 5550123'])
    expect(filterRows(others, filter, same), filter).toEqual(others.slice(0, 2))
  for (const filter of ['anne-marie', 'anne marie', '555-0199', '14185550199', '418 555 0199'])
    expect(filterRows(others, filter, same), filter).toEqual(others.slice(2))
  expect(filterRows(['Dossier 1234, poste 5678', 'Poste 5678'], '1234 5678', same)).toEqual(['Dossier 1234, poste 5678'])
})

test('sorts a list by the collation of the language', () => {
  expect(sortRows(names, same, false, 'fr')).toEqual([
    'Élodie Roy',
    'Étienne 9',
    'Étienne 10',
    'Marc-André Émond',
    'Zoé Lavallée',
  ])
  expect(sortRows(names, same, true, 'fr')[0]).toBe('Zoé Lavallée')
})

const query = new URLSearchParams('?search=a%26b&status=&page=2&other=x')

test('omits empty and unnamed parameters', () => {
  expect(pickQuery(query, ['status', 'search', 'page'])).toBe('?search=a%26b&page=2')
  expect(pickQuery(query, ['status'])).toBe('')
})

test('changes and removes values in a copy', () => {
  expect(String(changeQuery(query, { page: null, status: 'new', other: null }))).toBe('search=a%26b&status=new')
  expect(query.get('page')).toBe('2')
})

test.each([
  [1, 'fr', '1 demande'],
  [9_876, 'fr', '9\u00a0876 demandes'],
  [mostCounted, 'fr', 'Plus de 10\u00a0000 demandes'],
  [1, 'en', '1 request'],
  [9_876, 'en', '9,876 requests'],
  [mostCounted, 'en', 'More than 10,000 requests'],
] as const)('a total of %i in %s is shown as “%s”', (total, language, shown) => {
  const t = translator(
    {
      fr: { count: '{count} {count|demande|demandes}', countMore: 'Plus de {count} demandes' },
      en: { count: '{count} {count|request|requests}', countMore: 'More than {count} requests' },
    },
    language,
  )
  expect(describeTotal(t, total)).toBe(shown)
})
