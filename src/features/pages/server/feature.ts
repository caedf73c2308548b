import { isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import type { PageDescriptions } from '#src/lib/company-schema.ts'
import type { Language } from '#src/lib/language/language.ts'
import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import { sharePictureMaxBytes } from '../descriptions/values.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import type { Schedule } from '#src/lib/time/business-hours.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { sameUrl, wholeSource } from '#src/server/search/search.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { PageText, PolicyPage, TextName } from '../contract.ts'
import {
  isTutorial,
  mapSettings,
  offeredFile,
  pageText,
  pageTextNames,
  policyPage,
  policyQuery,
  scene,
  shownTutorial,
  textParams,
  textPaths,
  textQuery,
} from '../contract.ts'
import { descriptionRoutes } from '../descriptions/server/routes.ts'
import { findForPage } from '../descriptions/server/service.ts'
import { pages } from '../feature.ts'
import { announcedPages } from './announced-table.ts'
import { longTextContent, longTextRoutes } from './long-texts.ts'
import { findPolicyVersions, followPolicy, readPolicyVersion } from './policy-versions.ts'
import { downloadRoutes, videoRoutes } from './service.ts'
import { longTexts, pageDescriptions, policyVersions } from './table.ts'
import { withCurrentValues } from './texts.ts'

/** Data of the static pages for client navigation. */
const siteRoutes: Routes = async (app) => {
  const { site } = app
  app.get(
    '/texts/:name',
    { config: { access: 'public' }, schema: { params: textParams, querystring: textQuery, response: { 200: pageText } } },
    (request) => findText(app, request.params.name, request.query.lang),
  )
  app.get('/downloads', { config: { access: 'public' }, schema: { response: { 200: z.array(offeredFile) } } }, () =>
    site.findDownloads(),
  )
  app.get('/tutorials', { config: { access: 'public' }, schema: { response: { 200: z.array(shownTutorial) } } }, () =>
    site.findTutorials(),
  )
  app.get(
    '/policy',
    { config: { access: 'public' }, schema: { querystring: policyQuery, response: { 200: policyPage } } },
    ({ query: { lang, version } }) => findPolicy(app, lang, version ?? null),
  )
  followPolicy(app, (language) => findText(app, 'privacy', language))
  app.get('/scenes', { config: { access: 'public' }, schema: { response: { 200: z.array(scene) } } }, () => site.findScenes())
  app.get('/map', { config: { access: 'public' }, schema: { response: { 200: mapSettings } } }, () => site.findMap())
}

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    texts: { find: (name: TextName, language: Language) => Promise<PageText> }
    policy: { find: (language: Language, version: number | null) => Promise<PolicyPage> }
    descriptions: { find: (path: string, language: Language) => PageDescriptions | null }
    site: Pick<App['site'], 'findDownloads' | 'findTutorials' | 'findScenes' | 'findMap'> & { findHours: () => Promise<Schedule> }
  }
}

async function findPolicy(app: App, language: Language, version: number | null): Promise<PolicyPage> {
  const read = version === null ? findText(app, 'privacy', language) : readPolicyVersion(app.db, version, language)
  const [text, versions] = await Promise.all([read, findPolicyVersions(app.db)])
  const shown = version === null ? versions[0] : versions.find(({ id_version: id }) => id === version)
  return { text, shown: shown ?? null, versions }
}

async function findText(app: App, name: TextName, language: Language) {
  const { week } = await app.findHours()
  const hasEncryptedBackups = app.config.backupRecipients.length > 0
  return withCurrentValues(app.site.texts.find(name, language), { week, hasEncryptedBackups })
}

/** The long texts and the tutorials, for the search. */
async function findPages(app: App) {
  const pageEntries = await Promise.all(
    pageTextNames.map(async (name) => {
      const [fr, en] = await Promise.all([findText(app, name, 'fr'), findText(app, name, 'en')])
      const textOf = ({ lead, html }: PageText) => `${lead}\n${textOfHtml(html)}`
      const title = { fr: fr.title, en: en.title }
      return { key: `page-${name}`, kind: 'page', title, text: { fr: textOf(fr), en: textOf(en) }, url: sameUrl(textPaths[name]) }
    }),
  )
  const tutorials = await Promise.all(
    app.site.findTutorials().map(async ({ name, title }) => {
      const { lead, html } = await findText(app, name, 'fr')
      const text = { fr: `${lead}\n${textOfHtml(html)}`, en: '' }
      return { key: `tutorial-${name}`, kind: 'tutorial', title, text, url: sameUrl(textPaths[name]) }
    }),
  )
  return [...pageEntries, ...tutorials]
}

export const pagesServer = serverFeature(pages, {
  uploads: {
    share_pictures: { maxBytes: sharePictureMaxBytes, check: ({ actor }) => requireRight(actor, 'company', 'read_write') },
  },
  api: { '/api/site': siteRoutes, '/api/site/long_texts': longTextRoutes, '/api/pages': descriptionRoutes },
  content: [longTextContent],
  pictureTables: [pageDescriptions],
  personalColumns: [
    {
      whose: ['staff'],
      columns: [policyVersions.french, policyVersions.english],
      purpose: 'Show each version of the policy, with the person in charge that it named.',
      seenBy: ['public'],
    },
  ],
  impersonalColumns: [
    {
      columns: [
        ...[longTexts.name, longTexts.french, longTexts.english, longTexts.englishOlder],
        ...[pageDescriptions.path, pageDescriptions.title, pageDescriptions.titleEn],
        ...[pageDescriptions.description, pageDescriptions.descriptionEn, pageDescriptions.picture],
      ],
      reason: 'texts that the company publishes',
    },
    { columns: [announcedPages.path, announcedPages.changedAt], reason: 'addresses of public pages' },
  ],
  tableEnds: [
    {
      tables: [pageDescriptions],
      label: { fr: 'Titres et descriptions des pages', en: 'Titles and descriptions of pages' },
      reason: { fr: 'Une ligne par page, toujours en vigueur.', en: 'One row per page, which always applies.' },
    },
    {
      tables: [longTexts],
      label: { fr: 'Textes du site', en: 'Texts of the site' },
      reason: { fr: 'Une ligne par texte, toujours en vigueur.', en: 'One row per text, which always applies.' },
    },
    {
      tables: [policyVersions],
      label: { fr: 'Versions de la politique', en: 'Versions of the policy' },
      reason: {
        fr: 'Elles restent lisibles, comme la politique le promet.',
        en: 'They stay readable, as the policy promises.',
      },
    },
    {
      tables: [announcedPages],
      label: { fr: 'Pages annoncées aux moteurs de recherche', en: 'Pages announced to search engines' },
      reason: { fr: 'Une ligne par page, jusqu’à ce qu’elle quitte le site.', en: 'One row per page, until it leaves the site.' },
    },
  ],
  routes: { '/downloads': downloadRoutes, '/videos': videoRoutes },
  async findAddresses({ db }) {
    const rows = await db.select().from(longTexts).where(isNotNull(longTexts.french))
    return rows.map(({ name, updatedAt }) => {
      const path = textPaths[name]
      return { fr: path, ...(!isTutorial(name) && { en: path }), changedAt: updatedAt.toISOString(), standsAlone: true as const }
    })
  },
  searchable: [wholeSource(['chat', 'company'], findPages)],
  pageServices: (app) => ({
    texts: { find: (name, language) => findText(app, name, language) },
    policy: { find: (language, version) => findPolicy(app, language, version) },
    descriptions: { find: (path, language) => findForPage(app.db, path, language) },
    site: { ...app.site, findHours: app.findHours },
  }),
})
