import { expect, test } from 'vitest'
import { changeQuery, pickQuery } from './query.ts'

const query = new URLSearchParams('?search=a%26b&status=&page=2&other=x')

test('what is empty or not named is left out', () => {
  expect(pickQuery(query, ['status', 'search', 'page'])).toBe('?search=a%26b&page=2')
  expect(pickQuery(query, ['status'])).toBe('')
})

test('values are changed and taken out, in a copy', () => {
  expect(String(changeQuery(query, { page: null, status: 'new', other: null }))).toBe('search=a%26b&status=new')
  expect(query.get('page')).toBe('2')
})
