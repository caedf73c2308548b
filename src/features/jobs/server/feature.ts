import { sql } from 'drizzle-orm'
import { sampleContent } from '#company/sample-content.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { sameUrl, wholeSource } from '#src/server/search/search.ts'
import type { App } from '#src/server/types.ts'
import { jobFeedRoutes } from './feed.ts'
import { jobRoutes } from './routes.ts'
import { isPublic, jobContent, jobPages, readOpenJobs, readPublicJob } from './service.ts'
import { jobs as table } from './table.ts'
import { orderSettings } from '#src/features/content/order/server/order.ts'
import { readChanges } from '#src/features/content/server/changes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { jobs } from '../feature.ts'
import { texts } from '../texts.ts'
import { isInEnglish } from '../values.ts'
import { hasRight } from '#src/lib/rights.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    jobs: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({
  find: (id: number) => readPublicJob(app, id),
  findOpen: () => readOpenJobs(app),
})

export const jobsServer = serverFeature(jobs, {
  api: { '/api/jobs/emplois': jobRoutes },
  content: [jobContent],
  settings: orderSettings(jobContent),
  pageWriters: { jobs: jobPages },
  impersonalColumns: [
    {
      columns: [
        ...[table.title, table.titleEn, table.description, table.descriptionEn, table.englishOlder],
        ...[table.employmentType, table.opensOn, table.closesOn],
      ],
      reason: 'postings that the company publishes',
    },
  ],
  tableEnds: [
    {
      tables: [table],
      label: { fr: 'Offres d’emploi', en: 'Job postings' },
      reason: {
        fr: 'Une offre fermée n’est plus publique. Le personnel la rouvre ou la supprime.',
        en: 'A closed posting is no longer public. Staff reopen it or delete it.',
      },
    },
  ],
  async findFigures(app, { rights }) {
    if (!hasRight(rights, 'jobs', 'read_only')) return {}
    const count = (await readOpenJobs(app)).length
    return { '/admin/emplois': { fr: `${count} ${count < 2 ? 'affiché' : 'affichés'}`, en: `${count} posted` } }
  },
  pageServices: (app) => ({ jobs: pageServices(app) }),
  routes: { '/emploi': jobFeedRoutes },
  async findAddresses(app) {
    const [open, changes] = await Promise.all([readOpenJobs(app), readChanges(app, 'jobs', table)])
    return open.map((job) => {
      const address = `/emploi/voir/${job.id_emploi}`
      return { fr: address, ...(isInEnglish(job) && { en: address }), changedAt: changes.get(job.id_emploi) }
    })
  },
  findEntryAddresses: async ({ db }) =>
    (await jobContent.findAll(db)).map((job) => ({
      path: `/emploi/voir/${job.id_emploi}`,
      title: { fr: job.titre, en: job.titre_en },
      isPublished: isPublic(job.state),
      area: 'jobs',
    })),
  sharePictures: {
    kind: 'job',
    async find(app, id, language) {
      const { titre, titre_en } = await readPublicJob(app, id)
      const t = translator(texts, language)
      return { label: t('title'), title: pickText(language, titre, titre_en) || t('untitled'), lines: [] }
    },
  },
  searchable: [
    wholeSource(['jobs'], async (app) =>
      (await readOpenJobs(app)).map((job) => ({
        key: `job-${job.id_emploi}`,
        kind: 'job',
        title: { fr: job.titre, en: job.titre_en },
        text: { fr: textOfHtml(job.description), en: textOfHtml(job.description_en) },
        url: sameUrl(`/emploi/voir/${job.id_emploi}`),
      })),
    ),
  ],
  async putSample(tx) {
    // Oldest first: the list shows the newest on top, by the time of their creation.
    for (const job of sampleContent.jobs.toReversed()) {
      await tx.insert(table).values({
        title: job.titre,
        titleEn: job.titre_en,
        employmentType: job.employment_type,
        description: job.description,
        descriptionEn: job.description_en,
        createdAt: sql`clock_timestamp()`,
      })
    }
  },
})
