import { company } from '#company/company.ts'
import { defaultLanguage, languages, pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { readChanges } from '#src/features/content/server/changes.ts'
import { sendFeed } from '#src/server/http/atom-feed.ts'
import type { Routes } from '#src/server/types.ts'
import { texts } from '../texts.ts'
import { isInEnglish } from '../values.ts'
import { readOpenJobs } from './service.ts'
import { jobs } from './table.ts'

/** `/emploi/feed.fr.xml` and `/emploi/feed.en.xml`: the open postings that have a text in the language, newest first. */
export const jobFeedRoutes: Routes = async (app) => {
  for (const language of languages)
    app.get(`/feed.${language}.xml`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const [open, changes] = await Promise.all([readOpenJobs(app), readChanges(app, 'jobs', jobs)])
      const found = open.filter((job) => language === defaultLanguage || isInEnglish(job))
      const entries = found.map((job) => ({
        id: `posting-${job.id_emploi}`,
        title: pickText(language, job.titre, job.titre_en) || translator(texts, language)('untitled'),
        path: `/emploi/voir/${job.id_emploi}`,
        published: job.created_at,
        updated: changes.get(job.id_emploi) ?? job.created_at,
        content: pickText(language, job.description, job.description_en),
      }))
      return sendFeed(request, reply, language, {
        path: '/emploi',
        title: `${translator(texts, language)('feed')} | ${company.name}`,
        contentType: 'html',
        entries: entries.toSorted((one, other) => other.updated.localeCompare(one.updated)),
      })
    })
}
