import { expect, test } from 'vitest'
import { initialsOf } from './photo.tsx'

test.each([
  ['Zoé Lavallée', 'ZL'],
  ['Marc-André de la Durantaye', 'MD'],
  ['élodie', 'É'],
  ['', ''],
])('the initials of %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
