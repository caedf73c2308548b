import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { redirectToReferrerLanguage, redirectToLanguage, withoutTrailingSigns } from './language-redirects.ts'

const requested = (url: string, more: object = {}) =>
  ({
    method: 'GET',
    url,
    headers: {},
    cookies: {},
    server: { config: { publicUrl: 'http://site.example' } },
    ...more,
  }) as unknown as FastifyRequest

describe('an address that begins with a language', () => {
  test.each([
    ['/en', '/?lang=en'],
    ['/fr', '/?lang=fr'],
    ['/EN/', '/?lang=en'],
    ['/en/reseau', '/reseau?lang=en'],
    ['/fr/emploi/voir/3?utm_source=x', '/emploi/voir/3?utm_source=x&lang=fr'],
    ['/en?lang=fr', '/?lang=en'],
  ])('%s redirects to %s', (url, to) => {
    expect(redirectToLanguage(requested(url))).toBe(to)
    expect(redirectToLanguage(requested(url, { method: 'HEAD' }))).toBe(to)
  })

  test.each(['/english', '/entreprise', '/team', '/', '/france', '/x/en'])('%s is another one', (url) => {
    expect(redirectToLanguage(requested(url))).toBeNull()
  })

  test('is not redirected for a form', () => {
    expect(redirectToLanguage(requested('/en/contact', { method: 'POST' }))).toBeNull()
  })
})

test.each([
  ['/reseau?lang=en)', '/reseau?lang=en'],
  ['/reseau?lang=EN.', '/reseau?lang=en'],
  ['/reseau?a=1&lang=fr%3E', '/reseau?a=1&lang=fr'],
])('a language copied with punctuation, %s, redirects to %s', (url, to) => {
  expect(redirectToLanguage(requested(url))).toBe(to)
})

test.each(['/reseau?lang=EN', '/reseau?lang=de', '/reseau?lang=', '/reseau?lang=de.', '/reseau.'])(
  '%s is not redirected',
  (url) => {
    expect(redirectToLanguage(requested(url))).toBeNull()
  },
)

const evil = [
  '/evil.example',
  '/\\evil.example',
  '\\evil.example',
  '/\t/evil.example',
  '/../../evil.example',
  '/%2e%2e//evil.example',
  '/./\\/evil.example',
  '/https://evil.example',
  '/@evil.example',
]

test.each(evil)('no address redirects to another site: /en/%s', (rest) => {
  for (const url of [`/en/${rest}`, `/fr${rest}`, `/${rest}.`, `/${rest}?lang=en)`]) {
    const to = [redirectToLanguage(requested(url)), withoutTrailingSigns(requested(url))].filter((one) => one !== null)
    for (const one of to) {
      expect(one).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
      expect(new URL(one, 'https://site.example').host).toBe('site.example')
    }
  }
})

test('control characters stay encoded', () => {
  expect(redirectToLanguage(requested('/en/x%0d%0aSet-Cookie:a=b'))).toBe('/x%0d%0aSet-Cookie:a=b?lang=en')
})

describe('punctuation around a copied address', () => {
  test.each([
    ['/reseau.', '/reseau'],
    ['/reseau)', '/reseau'],
    ['/reseau).', '/reseau'],
    ['/emploi/voir/3,?lang=en', '/emploi/voir/3?lang=en'],
    ['/reseau%C2%BB', '/reseau'],
    ['/reseau%e2%80%a6', '/reseau'],
    ['/reseau%20', '/reseau'],
    ['/.', '/'],
  ])('of %s is removed: %s', (url, bare) => {
    expect(withoutTrailingSigns(requested(url))).toBe(bare)
  })

  test('is ignored for a form, a plain address, or an implausibly long one', () => {
    expect(withoutTrailingSigns(requested('/reseau.', { method: 'POST' }))).toBeNull()
    expect(withoutTrailingSigns(requested('/reseau?x=1.'))).toBeNull()
    expect(withoutTrailingSigns(requested(`/${'.'.repeat(10_000)}`))).toBeNull()
  })
})

describe('a visitor without JavaScript', () => {
  const from = (referer: string, url = '/team', more: object = {}) =>
    redirectToReferrerLanguage(requested(url, { headers: { referer }, ...more }))

  test('keeps the language of the previous page', () => {
    expect(from('http://site.example/cloud?lang=EN')).toBe('/team?lang=en')
    expect(from('http://site.example/cloud?lang=en', '/team?x=1')).toBe('/team?x=1&lang=en')
  })

  test('is not redirected where the language is given, stored, French, or of another site', () => {
    expect(from('http://site.example/cloud?lang=en', '/team?lang=fr')).toBeNull()
    expect(from('http://site.example/cloud?lang=fr')).toBeNull()
    expect(from('http://other.example/cloud?lang=en')).toBeNull()
    expect(from('http://site.example/cloud?lang=en', '//evil.example')).toBeNull()
    expect(from('http://site.example/cloud?lang=en', '/team', { cookies: { application_default_language: 'fr' } })).toBeNull()
  })
})
