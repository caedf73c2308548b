import { serverFeature } from '#src/features/content/server/feature.ts'
import type { Routes } from '#src/server/types.ts'
import { stateQuery, systemState } from '../contract.ts'
import { health } from '../feature.ts'
import { findState } from './service.ts'

/** `/api/etat`: how the product is, for who looks after it. */
const stateRoutes: Routes = async (app) => {
  app.get(
    '/',
    {
      config: { access: 'updates read_only' },
      schema: { querystring: stateQuery, response: { 200: systemState } },
    },
    (request) => findState(app, request.query.range),
  )
}

export const healthServer = serverFeature(health, {
  api: { '/api/etat': stateRoutes },
})
