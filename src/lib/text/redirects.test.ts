import { expect, test } from 'vitest'
import { unwrapLink } from './redirects.ts'

const outlook =
  'https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Fa%3Fb%3D1%26c%3D2&data=05%7C02%7Crh%40example.com%7C&sdata=x%3D&reserved=0'

test.each([
  ['https://www.google.com/url?q=https://example.com/a?b%3D1&sa=D&source=editors&ust=1&usg=x', 'https://example.com/a?b=1'],
  ['https://www.google.ca/url?sa=t&url=https%3A%2F%2Fexample.com%2F&usg=x', 'https://example.com/'],
  [outlook, 'https://example.com/a?b=1&c=2'],
  [`https://www.google.com/url?q=${encodeURIComponent(outlook)}&source=gmail`, 'https://example.com/a?b=1&c=2'],
  ['https://can01.safelinks.protection.outlook.com/?url=mailto%3Arh%40example.com&data=05', 'mailto:rh@example.com'],
])('takes the address out of %s', (address, inside) => {
  expect(unwrapLink(address)).toBe(inside)
})

test.each([
  'https://www.google.com/search?q=https://example.com',
  'https://example.com/url?q=https://example.org/',
  'https://evil.example/?url=https%3A%2F%2Fexample.com&host=safelinks.protection.outlook.com',
  'https://www.google.com/url?q=javascript:alert(1)',
  'https://www.google.com/url?sa=t',
  'mailto:rh@example.com',
  '/emploi',
  'https://[',
])('leaves %s as it is', (address) => {
  expect(unwrapLink(address)).toBe(address)
})

test('follows a few redirects within each other, and stops reading after them', () => {
  const nest = (depth: number) =>
    Array.from({ length: depth }).reduce<string>(
      (inside) => `https://www.google.com/url?q=${encodeURIComponent(inside)}`,
      'https://example.com/',
    )
  expect(unwrapLink(nest(5))).toBe('https://example.com/')
  expect(unwrapLink(nest(7))).toBe(nest(2))
})
