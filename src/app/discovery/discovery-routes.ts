import { company } from '#company/company.ts'
import { sharingTexts } from '#company/sharing.ts'
import type { Feature } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, languages, locales } from '#src/lib/language/language.ts'
import { translator, defineTexts } from '#src/lib/language/texts.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { cacheControlFor } from '#src/server/cache/shared-responses.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { PageAddress } from '#src/features/content/server/feature.ts'
import { announceByIndexNow } from '#src/features/pages/server/index-now.ts'
import { listShown, pathIn } from '#src/features/pages/server/shown-pages.ts'
import { features } from '../features.ts'
import { serverFeatures } from '../server-features.ts'

const hour = 3_600

/** For search engines and home screens: sitemap.xml, robots.txt and manifests of the site and of the administration. */
export const discoveryRoutes: Routes = async (app) => {
  app.get('/sitemap.xml', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const paths = await findPages(app)
    void reply.type('application/xml; charset=utf-8').header('cache-control', cacheControlFor(app, hour))
    return renderSitemap(requestOrigin(request), paths)
  })

  app.get('/robots.txt', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
    void reply.type('text/plain; charset=utf-8').header('cache-control', cacheControlFor(app, hour))
    return renderRobots(requestOrigin(request), app.config.isIndexed)
  })

  announceByIndexNow(app, findPages)

  for (const language of languages) {
    const t = translator(discoveryTexts, language)
    const shared = {
      lang: locales[language],
      dir: 'ltr',
      display: 'standalone',
      background_color: '#faf7f1',
      theme_color: '#14213d',
    }
    const manifest = () =>
      JSON.stringify({
        ...shared,
        name: company.legalName,
        short_name: company.name,
        description: sharingTexts[language].description,
        id: '/',
        start_url: '/',
        scope: '/',
        icons: [
          { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        shortcuts: [
          { name: t('manifestServiceCall'), url: '/appel-de-service' },
          { name: t('manifestStatus'), url: '/reseau' },
          { name: t('manifestContact'), url: '/contact' },
        ],
      })
    const adminManifest = () =>
      JSON.stringify({
        ...shared,
        name: t('adminName', { company: company.name }),
        short_name: t('adminShortName'),
        id: '/admin/',
        start_url: '/admin/panel',
        scope: '/admin/',
        icons: [
          { src: '/admin-icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/admin-icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/admin-icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        shortcuts: [
          { name: t('adminChat'), url: '/admin/chat' },
          { name: t('adminRequests'), url: '/admin/demandes' },
        ],
      })
    for (const [path, content] of [
      [`/manifest.${language}.webmanifest`, manifest],
      [`/admin/manifest.${language}.webmanifest`, adminManifest],
    ] as const) {
      app.get(path, { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) => {
        void reply.type('application/manifest+json; charset=utf-8').header('cache-control', `public, max-age=${hour}`)
        return content()
      })
    }
  }
}

const pathOf = (page: PageAddress) => (typeof page === 'string' ? page : page.fr)

/** Every public page. A feature returns the date of a fixed page whose text was edited; the other fixed pages have none. */
export async function findPages(app: App) {
  const found = (await Promise.all(serverFeatures.flatMap(({ findAddresses }) => findAddresses?.(app) ?? []))).flat()
  const fixed = fixedAddresses(features)
  const fixedPaths = new Set(fixed.map(pathOf))
  const edited = new Map(found.map((page) => [pathOf(page), page]))
  return [...fixed.map((page) => edited.get(pathOf(page)) ?? page), ...found.filter((page) => !fixedPaths.has(pathOf(page)))]
}

/** Pages at fixed addresses, by language where they are in French only. */
export const fixedAddresses = (all: readonly Feature[]): PageAddress[] =>
  all.flatMap(({ publicPaths = [], frenchPaths = [] }) =>
    publicPaths.map((path) => (frenchPaths.includes(path) ? { fr: path } : path)),
  )

/** One entry per page and language, each linking to the other language where the page has it. */
export function renderSitemap(origin: string, pages: PageAddress[]) {
  const entries = listShown(pages).map(({ paths, language, changedAt }) => renderEntry(origin, paths, language, changedAt))
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}

/**
 * The administration is not blocked: it says by itself that it is not for search engines (`X-Robots-Tag`), which one that may
 * not ask would never read. The same goes for everything where `INDEXING` is 0.
 */
export function renderRobots(origin: string, isIndexed: boolean) {
  if (!isIndexed) return 'User-agent: *\nDisallow:\n'
  return `User-agent: *
Disallow: /api/
Disallow: /public_api/

Sitemap: ${origin}/sitemap.xml
`
}

function renderEntry(
  origin: string,
  paths: Partial<Record<Language, string>>,
  language: Language,
  changedAt: string | undefined,
) {
  const address = (one: Language) => escapeXml(origin + pathIn(one, paths))
  const shown = languages.filter((one) => paths[one] !== undefined)
  const alternates = shown.map((one) => `<xhtml:link rel="alternate" hreflang="${one}" href="${address(one)}"/>`)
  const standard = `<xhtml:link rel="alternate" hreflang="x-default" href="${address(defaultLanguage)}"/>`
  const changed = changedAt ? `<lastmod>${changedAt}</lastmod>` : ''
  return `<url><loc>${address(language)}</loc>${changed}${alternates.join('')}${standard}</url>`
}

export const discoveryTexts = defineTexts({
  fr: {
    manifestServiceCall: 'Appel de service',
    manifestStatus: 'État du réseau',
    manifestContact: 'Nous joindre',
    adminName: 'Administration de {company}',
    adminShortName: 'Administration',
    adminChat: 'Clavardage',
    adminRequests: 'Demandes',
  },
  en: {
    manifestServiceCall: 'Service call',
    manifestStatus: 'Network status',
    manifestContact: 'Contact us',
    adminName: '{company} administration',
    adminShortName: 'Administration',
    adminChat: 'Live chat',
    adminRequests: 'Requests',
  },
})
