import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, languages } from '#src/lib/language/language.ts'
import { escapeXml } from '#src/lib/text/xml.ts'

/** One entry a page and language, each naming the same page in the other. */
export function renderSitemap(origin: string, paths: string[]) {
  const entries = paths.flatMap((path) => languages.map((language) => renderEntry(origin, path, language)))
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}

export function renderRobots(origin: string) {
  return `User-agent: *
Disallow: /admin
Disallow: /login
Disallow: /api/
Disallow: /public_api/

Sitemap: ${origin}/sitemap.xml
`
}

function renderEntry(origin: string, path: string, language: Language) {
  const address = (one: Language) => escapeXml(origin + path + (one === defaultLanguage ? '' : `?lang=${one}`))
  const alternates = languages.map((one) => `<xhtml:link rel="alternate" hreflang="${one}" href="${address(one)}"/>`)
  const standard = `<xhtml:link rel="alternate" hreflang="x-default" href="${address(defaultLanguage)}"/>`
  return `<url><loc>${address(language)}</loc>${alternates.join('')}${standard}</url>`
}
