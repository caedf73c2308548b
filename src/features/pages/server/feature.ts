import { z } from 'zod'
import type { Language } from '#src/lib/language/language.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import type { Schedule } from '#src/lib/time/business-hours.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { PageText, TextName } from '../contract.ts'
import { mapSettings, offeredFile, pageText, scene, shownTutorial, textParams, textQuery } from '../contract.ts'
import { pages } from '../feature.ts'
import { downloadRoutes, videoRoutes } from './service.ts'
import { withHours } from './texts.ts'

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
  app.get('/scenes', { config: { access: 'public' }, schema: { response: { 200: z.array(scene) } } }, () => site.findScenes())
  app.get('/map', { config: { access: 'public' }, schema: { response: { 200: mapSettings } } }, () => site.findMap())
}

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    texts: { find: (name: TextName, language: Language) => Promise<PageText> }
    site: Pick<App['site'], 'findDownloads' | 'findTutorials' | 'findScenes' | 'findMap'> & { findHours: () => Promise<Schedule> }
  }
}

async function findText(app: App, name: TextName, language: Language) {
  return withHours(app.site.texts.find(name, language), (await app.findHours()).week)
}

export const pagesServer = serverFeature(pages, {
  api: { '/api/site': siteRoutes },
  routes: { '/downloads': downloadRoutes, '/videos': videoRoutes },
  pageServices: (app) => ({
    texts: { find: (name, language) => findText(app, name, language) },
    site: { ...app.site, findHours: app.findHours },
  }),
})
