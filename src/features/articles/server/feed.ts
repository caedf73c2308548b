import { company } from '#company/company.ts'
import { defaultLanguage, languages, pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { sendFeed } from '#src/server/http/atom-feed.ts'
import type { Routes } from '#src/server/types.ts'
import { texts } from '../texts.ts'
import { pathOfArticle } from '../values.ts'
import { readNewest } from './service.ts'

/** `/aide/feed.fr.xml` and `/aide/feed.en.xml`: new and changed articles, those that have a text in the language. */
export const articleFeedRoutes: Routes = async (app) => {
  for (const language of languages)
    app.get(`/feed.${language}.xml`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const found = (await readNewest(app)).filter(({ titre_en }) => language === defaultLanguage || titre_en !== '')
      return sendFeed(request, reply, language, {
        path: '/aide',
        title: `${translator(texts, language)('feed')} | ${company.name}`,
        contentType: 'html',
        entries: found.map((article) => ({
          id: `article-${article.id_article}`,
          title: pickText(language, article.titre, article.titre_en),
          path: pathOfArticle(language, article),
          published: article.created_at,
          updated: article.updated_at,
          content: pickText(language, article.corps, article.corps_en),
        })),
      })
    })
}
