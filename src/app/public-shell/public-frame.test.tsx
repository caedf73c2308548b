import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import { company } from '#company/company.ts'
import type { Availability } from '#src/lib/availability.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import { NetworkLink, SiteHeader } from './site-header.tsx'
import { NotFoundView } from '#src/ui/page/page-errors.tsx'
import { SiteFooter } from './site-footer.tsx'

function render(element: ReactNode, path = '/') {
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <LanguageProvider value="fr">{element}</LanguageProvider>
    </MemoryRouter>,
  ).replaceAll('\u00a0', ' ')
}

const addressesOf = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, address]) => address)

const availability: Availability = {
  state: 'open',
  emergency: false,
  user_count: 2,
  next_opening: null,
  closes_at: '2026-11-20T22:00:00.000Z',
  expected_minutes: null,
  week: [],
  time_zone: 'America/Toronto',
  zone_name: '',
  zone_name_en: '',
  utc_offset: -300,
}

describe('the header', () => {
  const header = (path: string, isHiring = true) =>
    render(<SiteHeader networkStatus="OK" languageSwitch={<p>FR EN</p>} isHiring={isHiring} availability={availability} />, path)

  test('has the language switch, the toll-free number and the external links', () => {
    const html = header('/')
    expect(html).toContain('FR EN')
    const { clientArea, telecomSite, socials } = company.links
    expect(addressesOf(html)).toEqual(
      expect.arrayContaining([
        `tel:${company.phones.tollFree.e164}`,
        clientArea,
        telecomSite.url,
        '/telecom/docs',
        '/reseau',
        ...socials.map(({ url }) => url),
      ]),
    )
  })

  const menuOf = (html: string) => /<nav[\s\S]*<\/nav>/.exec(html)?.[0] ?? ''

  test('has About, menus for company, support and contact, with a sign at careers while a posting is open', () => {
    const menu = menuOf(header('/'))
    expect(addressesOf(menu)).toEqual(
      expect.arrayContaining(['/about', '/team', '/wayOfLife', '/support', '/appel-de-service', '/telecom/docs', '/contact']),
    )
    expect(menu).toMatch(/href="\/emploi"[^>]*><span>Carrières<\/span><svg[^>]*aria-label="Nous embauchons"/)
    expect(addressesOf(menu)[0]).toBe('/about')
    expect(header('/', false)).not.toContain('Nous embauchons')
  })

  test('the menu ends with the service call, the phone number and the hours', () => {
    const menu = menuOf(header('/'))
    expect(addressesOf(menu).slice(-2)).toEqual(['/appel-de-service', `tel:${company.phones.tollFree.e164}`])
    expect(menu).toMatch(/Ouvert jusqu’à 17 h · 2 techniciens disponibles<\/span><\/span><\/span><\/div><\/nav>$/)
  })

  test.each([
    ['/telecom/phone_tutorial', 'Soutien'],
    ['/team/employe/3', 'Entreprise'],
    ['/cloud', 'Services'],
  ])('marks %s as in the section %s', (path, section) => {
    const current = [...header(path).matchAll(/<summary[^>]*aria-current="true"[^>]*><span>([^<]+)/g)].map(([, name]) => name)
    expect(current).toEqual([section])
  })

  test.each([
    ['OK', 'text-ok', 'Réseau : en service', false],
    ['WARNING', 'text-warn', 'Réseau : dégradé', false],
    ['ERROR', 'text-err', 'Réseau : en panne', true],
  ] as const)('shows the network status %s by icon and text', (status, color, words, isRed) => {
    const html = render(<NetworkLink status={status} />)
    expect(html).toMatch(new RegExp(`<svg[^>]*class="[^"]*${color}`))
    expect(html).toContain(words)
    expect(html.includes('bg-err-soft')).toBe(isRed)
  })
})

test('the footer links to every page, the phone numbers and the sign-in', () => {
  const html = render(<SiteFooter availability={null} theme="auto" onTheme={() => undefined} />)
  const { phones, emails } = company
  expect(addressesOf(html)).toEqual(
    expect.arrayContaining([
      '/cloud',
      '/service',
      '/programmation',
      '/infrastructure',
      '/team',
      '/reseau',
      '/support',
      '/emploi',
      '/about/personal_information',
      '/contact',
      `tel:${phones.tollFree.e164}`,
      `tel:${phones.quebec.e164}`,
      `mailto:${emails.support}`,
    ]),
  )
  expect(html).toMatch(/href="\/admin\/login"[^>]*>© /)
})

test('the 404 page shows Oops! and a link back', () => {
  const html = render(<NotFoundView />)
  expect(html).toContain('<h1>Oops!</h1>')
  expect(html).toContain('Cette page est introuvable')
  expect(addressesOf(html)).toEqual(['/'])
})
