import { company } from '#company/company.ts'
import { sharingTexts } from '#company/sharing.ts'
import { languages, locales } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { keepFor } from '#src/server/cache/shared-answers.ts'
import type { Routes } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { discoveryTexts } from '#src/ui/page/discovery-texts.ts'
import { features } from '../features.ts'
import { serverFeatures } from '../server-features.ts'
import { renderRobots, renderSitemap } from './sitemap.ts'

const hour = 3_600

/** What search engines and home screens read: sitemap.xml, robots.txt and one manifest a language. */
export const discoveryRoutes: Routes = async (app) => {
  app.get('/sitemap.xml', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const found = await Promise.all(serverFeatures.flatMap(({ findAddresses }) => findAddresses?.(app) ?? []))
    const paths = [...features.flatMap(({ publicPaths = [] }) => publicPaths), ...found.flat()]
    void reply.type('application/xml; charset=utf-8').header('cache-control', keepFor(app, hour))
    return renderSitemap(requestOrigin(request), paths)
  })

  app.get('/robots.txt', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
    void reply.type('text/plain; charset=utf-8').header('cache-control', keepFor(app, hour))
    return renderRobots(requestOrigin(request))
  })

  for (const language of languages) {
    const t = translator(discoveryTexts, language)
    const manifest = JSON.stringify({
      name: company.legalName,
      short_name: company.name,
      description: sharingTexts[language].description,
      lang: locales[language],
      dir: 'ltr',
      id: '/',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#faf7f1',
      theme_color: '#14213d',
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
    app.get(`/manifest.${language}.webmanifest`, { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) => {
      void reply.type('application/manifest+json; charset=utf-8').header('cache-control', `public, max-age=${hour}`)
      return manifest
    })
  }
}
