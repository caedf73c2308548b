import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { mapSettings, offeredFile, pageText, scene, shownTutorial, textParams, textQuery } from '../contract.ts'

/** What the static pages ask for when a visitor goes from one to another. */
export const siteRoutes: Routes = async (app) => {
  const { site } = app
  app.get(
    '/texts/:name',
    { config: { access: 'public' }, schema: { params: textParams, querystring: textQuery, response: { 200: pageText } } },
    (request) => site.texts.find(request.params.name, request.query.lang),
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
