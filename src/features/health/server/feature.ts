import { stateRoutes } from './routes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { health } from '../feature.ts'

export const healthServer = serverFeature(health, {
  api: { '/api/etat': stateRoutes },
})
