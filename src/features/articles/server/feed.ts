import { company } from '#company/company.ts'
import { addressInLanguage, defaultLanguage, languages, locales, pickText } from '#src/lib/language/language.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { cacheControlFor, etagOf, matchesEtag } from '#src/server/cache/shared-responses.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import type { Routes } from '#src/server/types.ts'
import type { Article } from '../contract.ts'
import { texts } from '../texts.ts'
import { pathOfArticle } from '../values.ts'
import { readNewest } from './service.ts'

const maxAge = 60

/** `/aide/feed.fr.xml` and `/aide/feed.en.xml`: new and changed articles, those that have a text in the language. */
export const articleFeedRoutes: Routes = async (app) => {
  for (const language of languages)
    app.get(`/feed.${language}.xml`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const found = (await readNewest(app)).filter(({ titre_en }) => language === defaultLanguage || titre_en !== '')
      const xml = renderFeed(requestOrigin(request), language, found)
      const etag = etagOf(xml)
      void reply
        .type('application/atom+xml; charset=utf-8')
        .header('cache-control', cacheControlFor(app, maxAge))
        .header('etag', etag)
      return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(xml)
    })
}

function renderFeed(origin: string, language: Language, found: Article[]) {
  const self = escapeXml(`${origin}/aide/feed.${language}.xml`)
  const addressOf = (path: string) =>
    escapeXml(origin + (language === defaultLanguage ? path : addressInLanguage(path, language)))
  const entries = found.map(
    (article) => `<entry>
<id>${escapeXml(`${origin}/aide#article-${article.id_article}`)}</id>
<title>${escapeXml(pickText(language, article.titre, article.titre_en))}</title>
<link rel="alternate" type="text/html" href="${addressOf(pathOfArticle(language, article))}"/>
<published>${article.created_at}</published>
<updated>${article.updated_at}</updated>
<content type="html" xml:base="${escapeXml(origin)}/">${escapeXml(pickText(language, article.corps, article.corps_en))}</content>
</entry>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locales[language]}">
<id>${self}</id>
<title>${escapeXml(`${translator(texts, language)('feed')} | ${company.name}`)}</title>
<updated>${found[0]?.updated_at ?? new Date(0).toISOString()}</updated>
<author><name>${escapeXml(company.legalName)}</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${addressOf('/aide')}"/>
${entries.join('\n')}
</feed>
`
}
