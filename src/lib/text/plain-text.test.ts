import { describe, expect, test } from 'vitest'
import { isBlank, foldText, isolateDirection, likePatterns, tidyEmail, tidyText } from './plain-text.ts'
import { email, requiredLine } from '../schemas.ts'

test('a text without visible characters is blank', () => {
  for (const value of ['', ' \t\n', '\u200B', '\u2800', '\u3164', '\u00A0\u200D\uFEFF', '\u115F', '\u00AD']) {
    expect(isBlank(value), JSON.stringify(value)).toBe(true)
    expect(requiredLine(200).safeParse(value).success).toBe(false)
  }
  for (const value of ['a', '\u200Ba', '한', '👩‍💻', '.']) expect(isBlank(value), value).toBe(false)
})

test('accents are composed and control characters removed, line ends and tabs stay', () => {
  expect(tidyText('He\u0301le\u0300ne\u001B[31m\u0007\tx\ny')).toBe('Hélène[31m\tx\ny')
  expect(requiredLine(200).parse('Zoe\u0301\u0007')).toBe('Zoé')
})

test('invisible characters around an address are trimmed', () => {
  for (const value of ['zoe@example.com.', 'zoe@example.com,', '\u00A0zoe@example.com\u00A0', '\u200Bzoe@example.com\u200B. ']) {
    expect(tidyEmail(value)).toBe('zoe@example.com')
  }
  const startedAt = performance.now()
  tidyEmail(`${'.'.repeat(50_000)}x${' '.repeat(50_000)}x`)
  expect(performance.now() - startedAt).toBeLessThan(500)
})

describe('an address', () => {
  test.each([
    'zoe@example.com',
    'zoé@example.com',
    'hélène@québec.ca',
    "o'neil+ticket_1@sub.example.co",
    'a&b@example.com',
    'annie@xn--qubec-csa.ca',
    '用户@例子.广告',
    'zoe@3com.example',
  ])('accepts %s', (value) => expect(email.parse(value)).toBe(value))
  test.each([
    'zoe',
    'zoe@',
    '@example.com',
    'zoe@example',
    'zoe@127.0.0.1',
    '.zoe@example.com',
    'zo..e@example.com',
    'zoe@-example.com',
    'zoe@example-.com',
    'zoe@exa mple.com',
    '"a@evil x"@example.com',
    'a@example.com,b@example.com',
    'Zoé <zoe@example.com>',
    'zoe@[127.0.0.1]',
    'zo\u3164e@example.com',
    'zo\u200Be@example.com',
    'zoe%evil.example@example.com',
    'a@b@example.com',
  ])('rejects %s', (value) => expect(email.safeParse(value).success).toBe(false))

  test('rejects a long input at once', () => {
    const startedAt = performance.now()
    for (const value of [`${'a.'.repeat(25_000)}@`, `a@${'a-'.repeat(25_000)}`, `a@${'a.'.repeat(126)}-`]) {
      expect(email.safeParse(value).success).toBe(false)
    }
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})

test('closes a right-to-left override at the end of a name', () => {
  expect(isolateDirection('Zoé')).toBe('Zoé')
  expect(isolateDirection('a\u202Ebc')).toBe('\u2068a\u202Ebc\u202C\u2069')
  expect(isolateDirection('a\u2069\u202Eb')).toBe('\u2068a\u202Eb\u202C\u2069')
  expect(isolateDirection('\u2066a\u202Eb\u2069')).toBe('\u2068\u2066a\u202Eb\u202C\u2069\u2069')
})

test('a name written from right to left stays in its place in a sentence', () => {
  for (const name of ['דנה (IT)', 'ليلى']) expect(isolateDirection(name)).toBe(`\u2068${name}\u2069`)
})

test.each([
  ['E\u0301quipe', 'equipe'],
  ['SŒUR', 'soeur'],
  ['Ægir', 'aegir'],
  ['Çà et là', 'ca et la'],
])('%s is searched as %s', (text, folded) => expect(foldText(text)).toBe(folded))

test('an apostrophe or hyphen of a search matches any other in the database', () => {
  expect(likePatterns('L’Écuyer')).toEqual([['%l_ecuyer%']])
  expect(likePatterns('mi-temps')).toEqual([['%mi_temps%']])
})
