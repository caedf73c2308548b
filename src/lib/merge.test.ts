import { expect, test } from 'vitest'
import { isSame, mergeChanges } from './merge.ts'

const base = { title: 'Un', titleEn: 'One', rows: [{ name: 'a' }], version: 1 }

test('changes of two users to different fields are merged', () => {
  const merged = mergeChanges(base, { ...base, title: 'Deux' }, { ...base, titleEn: 'Two', version: 2 })
  expect(merged).toEqual({ ...base, title: 'Deux', titleEn: 'Two', version: 2 })
})

test('prefers the own change where both changed a field, and takes the other’s list where it is unchanged', () => {
  const theirs = { ...base, title: 'Trois', rows: [{ name: 'b' }], version: 2 }
  expect(mergeChanges(base, { ...base, title: 'Deux', rows: [{ name: 'a' }] }, theirs)).toEqual({ ...theirs, title: 'Deux' })
})

test('values are compared by content', () => {
  expect(isSame([{ a: 1 }], [{ a: 1 }])).toBe(true)
  expect(isSame('1', 1)).toBe(false)
  expect(isSame(null, undefined)).toBe(false)
})
