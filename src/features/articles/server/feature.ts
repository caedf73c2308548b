import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { articles } from '../feature.ts'
import { texts } from '../texts.ts'
import { pathOfArticle, pictureMaxBytes } from '../values.ts'
import { articleFeedRoutes } from './feed.ts'
import { articlePictureRoutes, articleRoutes, articleVoteRoutes, votes } from './routes.ts'
import {
  articleSource,
  glossaryContent,
  glossaryRoutes,
  missDays,
  missRoutes,
  purgeMisses,
  search,
  searchRoutes,
} from './search.ts'
import {
  articleContent,
  articlePages,
  findEntryAddresses,
  purgeReads,
  readArticle,
  readMostRead,
  readTitles,
  sampleRows,
  vote,
} from './service.ts'
import { articleReads, articles as table, articleSlugs, searchMisses } from './table.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    articles: ReturnType<typeof pageServices>
  }
}

const resultsOnPage = 20
/** Counts of readings are stored for so long. */
const readDays = 31
/** The first part of the cookie `XSRF-TOKEN`. */
const browserId = /(?:^|; )XSRF-TOKEN=([\w-]{20,40})\./

const pageServices = (app: App) => ({
  find: (slug: string) => readArticle(app, slug),
  findTitles: () => readTitles(app),
  findMostRead: () => readMostRead(app),
  search: (text: string, language: Language, address: string) => search(app, text, language, resultsOnPage, address),
  /** An answer without JavaScript; a browser that takes no cookies is known by its address and name. */
  async vote(slug: string, isHelpful: boolean, { headers, address }: { headers: Headers; address: string }) {
    await app.limits.take('article-vote', address, votes)
    const browser = browserId.exec(headers.get('cookie') ?? '')?.[1] ?? `${address} ${headers.get('user-agent') ?? ''}`
    await vote(app.db, (await readArticle(app, slug)).id_article, browser, isHelpful)
  },
})

export const articlesServer = serverFeature(articles, {
  uploads: {
    article_pictures: { maxBytes: pictureMaxBytes, check: ({ actor }) => requireRight(actor, 'articles', 'read_write') },
  },
  api: {
    '/api/articles/articles': articleRoutes,
    '/api/articles/pictures': articlePictureRoutes,
    '/api/articles/glossary': glossaryRoutes,
    '/api/articles/searches': missRoutes,
    '/public_api/articles': articleVoteRoutes,
    '/public_api/search': searchRoutes,
  },
  routes: { '/aide': articleFeedRoutes },
  content: [articleContent, glossaryContent],
  pageWriters: { articles: articlePages },
  personalColumns,
  impersonalColumns,
  tableEnds: [
    {
      tables: [articleSlugs],
      label: { fr: 'Adresses des articles d’aide', en: 'Addresses of help articles' },
      reason: {
        fr: 'Une ancienne adresse mène toujours à son article.',
        en: 'A former address always leads to its article.',
      },
    },
    {
      tables: [articleReads],
      label: { fr: 'Lectures des articles d’aide', en: 'Readings of help articles' },
      days: readDays,
      purge: (app, before, limit) => purgeReads(app.db, before, limit),
    },
    {
      tables: [searchMisses],
      label: { fr: 'Recherches sans résultat', en: 'Searches without results' },
      days: missDays,
      purge: (app, before, limit) => purgeMisses(app.db, before, limit),
    },
  ],
  searchable: [articleSource],
  async putSample(tx) {
    const rows = await tx
      .insert(table)
      .values(await sampleRows())
      .returning()
    const slugs = rows.flatMap(({ id: articleId, slug, slugEn }) => [slug, slugEn].map((one) => ({ slug: one, articleId })))
    await tx.insert(articleSlugs).values(slugs)
  },
  pageServices: (app) => ({ articles: pageServices(app) }),
  sharePictures: {
    kind: 'article',
    async find(app, id, language) {
      const article = (await readTitles(app)).find((one) => one.id_article === id)
      if (!article) throw new NotFound('This entry does not exist.')
      return {
        label: translator(texts, language)('title'),
        title: pickText(language, article.titre, article.titre_en),
        lines: [],
      }
    },
  },
  findEntryAddresses: ({ db }) => findEntryAddresses(db),
  findAddresses: async (app) =>
    (await readTitles(app)).map((article) => ({
      fr: pathOfArticle('fr', article),
      ...(article.titre_en ? { en: pathOfArticle('en', article) } : {}),
      changedAt: article.updated_at,
    })),
})
