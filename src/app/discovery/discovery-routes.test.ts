import type { RouteConfigEntry } from '@react-router/dev/routes'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import routes from '#src/routes.ts'
import { features } from '#src/app/features.ts'
import { fixedAddresses, renderRobots, renderSitemap } from './discovery-routes.ts'

const publicPaths = features.flatMap(({ publicPaths = [] }) => publicPaths)

/** Pages without an address to visit: the sign-in redirect, the 404 page, the development gallery, the search. */
const apart = new Set(['/login', '/*', '/ui', '/recherche'])

type Entry = { loc: string; 'xhtml:link': { '@_hreflang': string; '@_href': string }[] }

describe('the sitemap', () => {
  test('lists every public page at a fixed address', () => {
    const pages = pathsUnder(routes[0]).filter((path) => !apart.has(path) && !path.includes(':'))
    expect(pages.toSorted()).toEqual(publicPaths.toSorted())
  })

  test('lists each page once per language, with links to both languages and the default', () => {
    const xml = renderSitemap('https://www.example.com', [...publicPaths, '/emploi/voir/7'])
    expect(XMLValidator.validate(xml)).toBe(true)
    const { urlset } = new XMLParser({ ignoreAttributes: false }).parse(xml) as { urlset: { url: Entry[] } }
    expect(urlset.url).toHaveLength((publicPaths.length + 1) * 2)
    for (const path of [...publicPaths, '/emploi/voir/7']) {
      for (const address of [`https://www.example.com${path}`, `https://www.example.com${path}?lang=en`]) {
        const entry = urlset.url.find(({ loc }) => loc === address)
        expect(entry?.['xhtml:link'].map((link) => [link['@_hreflang'], link['@_href']])).toEqual([
          ['fr', `https://www.example.com${path}`],
          ['en', `https://www.example.com${path}?lang=en`],
          ['x-default', `https://www.example.com${path}`],
        ])
      }
    }
  })

  test('lists tutorials in French only', () => {
    const xml = renderSitemap('https://www.example.com', fixedAddresses(features))
    expect(xml).toContain('<loc>https://www.example.com/telecom/phone_tutorial</loc>')
    expect(xml).not.toContain('_tutorial?lang=en')
    expect(xml).toContain('<loc>https://www.example.com/cloud?lang=en</loc>')
  })

  test('tells when what a page shows was changed, and a list when the newest of its entries was', () => {
    const [older, newer] = ['2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z']
    const xml = renderSitemap('https://www.example.com', [
      '/about',
      '/emploi',
      { fr: '/emploi/voir/1', en: '/emploi/voir/1', changedAt: newer },
      { fr: '/emploi/voir/2', changedAt: older },
    ])
    const found = [...xml.matchAll(/<loc>https:\/\/www\.example\.com([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?/g)]
    expect(found.map(([, path, at]) => [path, at])).toEqual([
      ['/about', undefined],
      ['/about?lang=en', undefined],
      ['/emploi', newer],
      ['/emploi?lang=en', newer],
      ['/emploi/voir/1', newer],
      ['/emploi/voir/1?lang=en', newer],
      ['/emploi/voir/2', older],
    ])
  })

  test('is named in robots.txt, which lets search engines read that the administration is not for them', () => {
    const robots = renderRobots('https://www.example.com', true)
    expect(robots).toContain('Sitemap: https://www.example.com/sitemap.xml')
    expect(robots).not.toMatch(/admin|login/)
    expect(renderRobots('https://www.example.com', false)).toBe('User-agent: *\nDisallow:\n')
  })
})

function pathsUnder(entry: RouteConfigEntry | undefined): string[] {
  return (entry?.children ?? []).flatMap((child) => (child.children ? pathsUnder(child) : `/${child.path ?? ''}`))
}
