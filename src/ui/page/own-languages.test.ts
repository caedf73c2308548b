import { expect, test } from 'vitest'
import { inOwnLanguages } from './own-languages.ts'

const tags = [
  { title: 'Poste' },
  { tagName: 'link' as const, rel: 'canonical', href: 'https://example.com/emploi/voir/1?lang=en' },
  { tagName: 'link' as const, rel: 'alternate', hrefLang: 'fr', href: 'https://example.com/emploi/voir/1' },
  { tagName: 'link' as const, rel: 'alternate', hrefLang: 'en', href: 'https://example.com/emploi/voir/1?lang=en' },
]

test('an entry without English names no English page, and the French one is the one to be found', () => {
  expect(inOwnLanguages(tags, '/emploi/voir/1', null)).toEqual([
    tags[0],
    { ...tags[1], href: 'https://example.com/emploi/voir/1' },
    tags[2],
  ])
})

test('an English page of another address is named by it', () => {
  const moved = 'https://example.com/aide/first?lang=en'
  expect(inOwnLanguages(tags, '/emploi/voir/1', '/aide/first')).toEqual([
    tags[0],
    { ...tags[1], href: moved },
    tags[2],
    { ...tags[3], href: moved },
  ])
})
