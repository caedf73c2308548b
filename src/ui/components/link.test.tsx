import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import { LanguageProvider } from '../language.tsx'
import { Link } from './link.tsx'
import { RichText } from '../rich-text/rich-text.tsx'

function hrefOf(to: string, at: string, language: Language) {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[at]}>
      <LanguageProvider value={language}>
        <Link to={to}>Page</Link>
      </LanguageProvider>
    </MemoryRouter>,
  )
  return /href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
}

test('each link keeps the language of the address', () => {
  expect(hrefOf('/team', '/?lang=en', 'en')).toBe('/team?lang=en')
  expect(hrefOf('/team', '/?lang=EN', 'en')).toBe('/team?lang=en')
  expect(hrefOf('/team', '/?lang=fr', 'fr')).toBe('/team?lang=fr')
  expect(hrefOf('/team?departement=VENTES#list', '/?lang=en', 'en')).toBe('/team?departement=VENTES&lang=en#list')
})

test('links keep a stored choice of English; an address without a language means French', () => {
  expect(hrefOf('/team', '/', 'en')).toBe('/team?lang=en')
  expect(hrefOf('/team', '/', 'fr')).toBe('/team')
})

test('addresses of the administration stay unchanged', () => {
  expect(hrefOf('/admin/equipe?page=2', '/admin/panel', 'en')).toBe('/admin/equipe?page=2')
})

test('links in rich text keep the language, external links stay unchanged', () => {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={['/?lang=en']}>
      <LanguageProvider value="en">
        <RichText
          html={
            '<p>href="/x" <a href="/contact#map">a</a> <a href="https://www.example.com/">b</a> <a href="//other.example">c</a></p>'
          }
        />
      </LanguageProvider>
    </MemoryRouter>,
  )
  expect(html).toContain(
    '<p>href="/x" <a href="/contact?lang=en#map">a</a> <a href="https://www.example.com/">b</a> <a href="//other.example">c</a></p>',
  )
})
