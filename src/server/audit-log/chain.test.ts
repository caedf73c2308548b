import { expect, test } from 'vitest'
import { chainStart, contentOf, createDigest, hashOf } from './chain.ts'

const row = {
  id: 7,
  at: new Date('2026-03-08T07:30:00.120Z'),
  userId: 3,
  userName: 'Zoé "la" Tremblay',
  address: '198.51.100.7',
  area: 'requests',
  action: 'update',
  entryId: '42',
  before: { note: 'Éteint\n', tags: ['b', 'a', null], nested: { z: 1.5, 'a b': false, ä: {}, Z: [] }, gone: undefined },
  after: null,
}

test('the chain and its digest are those of the versions before', () => {
  const content = contentOf(row)
  expect(hashOf(null, chainStart, content)).toBe('a37d68f0d253137f137af2fbecdf139fb43fb0b027172a58310faa95daff5f92')
  const hash = hashOf(Buffer.alloc(32, 7), chainStart, content)
  expect(hash).toBe('1d7c88ab0fdf7537b4f0774a8d46fe966ee405108fefc36b08057960fa924c07')
  const digest = createDigest()
  digest.add({ id: row.id, hash }, content)
  expect(digest.value()).toBe('f97fa722681fd09d1d6d1d28be175415990c6b065c410d68798f2db356a69f66')
})
