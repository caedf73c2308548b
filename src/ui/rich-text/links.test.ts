import { expect, test } from 'vitest'
import { completeLink, isAllowedLink } from './links.ts'

test.each([
  ['https://example.com/a?b=1', 'https://example.com/a?b=1'],
  ['example.com', 'https://example.com'],
  [' www.example.com/emplois ', 'https://www.example.com/emplois'],
  ['zoe@example.com', 'mailto:zoe@example.com'],
  ['mailto:zoe@example.com', 'mailto:zoe@example.com'],
  ['418 555-0118', 'tel:4185550118'],
  ['+1 (418) 555-0118', 'tel:+14185550118'],
  ['/emploi', '/emploi'],
])('%s becomes a link', (typed, address) => {
  expect(completeLink(typed)).toBe(address)
})

test.each(['', 'bonjour', 'javascript:alert(1)', 'data:text/html,x', '//evil.example', 'vbscript:x', 'https://', 'deux mots.ca'])(
  '%s becomes none',
  (typed) => {
    expect(completeLink(typed)).toBe(null)
    expect(isAllowedLink(typed)).toBe(false)
  },
)
