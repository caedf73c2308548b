import { serverFeature } from '#src/features/content/server/feature.ts'
import type { Routes } from '#src/server/types.ts'
import { healthQuery, systemHealth } from '../contract.ts'
import { health } from '../feature.ts'
import { findHealth } from './service.ts'

/** `/api/etat`: the health of the system, for its administrators. */
const healthRoutes: Routes = async (app) => {
  app.get(
    '/',
    {
      config: { access: 'updates read_only' },
      schema: { querystring: healthQuery, response: { 200: systemHealth } },
    },
    (request) => findHealth(app, request.query.range),
  )
}

export const healthServer = serverFeature(health, {
  api: { '/api/etat': healthRoutes },
})
