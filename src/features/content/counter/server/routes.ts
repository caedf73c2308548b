import { z } from 'zod'
import type { App, Routes } from '#src/server/types.ts'
import { findTranslations } from '../../translations/server/routes.ts'
import type { ServerFeature, Viewer } from '../../server/feature.ts'
import { counter } from '../contract.ts'

/** Everything on the landing screen in one response, from what each feature declares. */
export const counterRoutes =
  (features: readonly ServerFeature[]): Routes =>
  async (app) => {
    const facts = features.map(({ counter: part }) => z.object(part?.shape ?? {}).partial().shape)
    const response = z.object(Object.assign({}, counter.shape, ...facts) as typeof counter.shape)
    app.get('/', { config: { access: 'signed-in' }, schema: { response: { 200: response } } }, (request) => {
      const { userId, mustSetUpTotp, rights } = request.actor
      return findCounter(app, features, { userId, rights: mustSetUpTotp ? {} : rights })
    })
  }

async function findCounter(app: App, features: readonly ServerFeature[], viewer: Viewer) {
  const [facts, figures, setup, translations] = await Promise.all([
    Promise.all(features.flatMap(({ counter: part }) => part?.find(app, viewer) ?? [])),
    Promise.all(features.flatMap(({ findFigures }) => findFigures?.(app, viewer) ?? [])),
    Promise.all(features.flatMap(({ findSetup }) => findSetup?.(app, viewer) ?? [])),
    findTranslations(app, viewer.rights),
  ])
  return {
    ...(Object.assign({}, ...facts) as object),
    figures: Object.assign({}, ...figures) as z.infer<typeof counter>['figures'],
    setup: setup.flat(),
    translations,
  }
}
