import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { translation } from '../contract.ts'
import { findTranslations } from './service.ts'

/** What the panel lists: where the English waits. */
export const translationRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'signed-in' }, schema: { response: { 200: z.array(translation) } } }, (request) =>
    findTranslations(app, request.actor.mustSetUpTotp ? {} : request.actor.rights),
  )
}
