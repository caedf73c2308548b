import { expect, test } from 'vitest'
import { filterRows, sortRows, changeQuery, pickQuery } from './lists.ts'

const names = ['Zoé Lavallée', 'Élodie Roy', 'Marc-André Émond', 'Étienne 10', 'Étienne 9']
const same = (name: string) => name

test('searches a list by all words, ignoring case, accents and hyphens', () => {
  expect(filterRows(names, 'ZOE', same)).toEqual(['Zoé Lavallée'])
  expect(filterRows(names, 'emond marc andre', same)).toEqual(['Marc-André Émond'])
  expect(filterRows(names, '  ', same)).toEqual(names)
  expect(filterRows(names, 'personne', same)).toEqual([])
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
